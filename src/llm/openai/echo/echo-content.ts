import { z } from 'zod';

import { isJsonObject, type JsonObject } from '../../../common/json.js';
import type { Echo } from '../../chat-model.js';

/** Of one step. What is longer costs more than it is worth, in every prompt after it and in the database. */
export const MOST_ECHO_BYTES = 256 * 1024;

/** What came with a step that its model may want back, under the names that it came by. */
export interface EchoContent {
  reasoning_content?: string | undefined;
  reasoning_details?: JsonObject[] | undefined;
  extra_content?: JsonObject | undefined;
  /** By the id of the call that it came with. */
  calls?: [id: string, extra: JsonObject][] | undefined;
}

/** Whose a step is. Behind another address the same name may be another model, which could make nothing of it. */
export interface Origin {
  provider: string;
  model: string;
}

export const jsonObject = z.custom<JsonObject>(isJsonObject);

const written = z.object({
  provider: z.string(),
  reasoning_content: z.string().optional(),
  reasoning_details: z.array(jsonObject).optional(),
  extra_content: jsonObject.optional(),
  calls: z.array(z.tuple([z.string(), jsonObject])).optional(),
});

export const writeEcho = (content: EchoContent, { provider, model }: Origin): Echo => ({
  model,
  data: JSON.stringify({ provider, ...content }),
});

/** Null: there is none, or it is not for the model that is asked. */
export function readEcho(echo: Echo | undefined, { provider, model }: Origin): EchoContent | null {
  if (!echo || echo.model !== model) return null;
  try {
    const { success, data } = written.safeParse(JSON.parse(echo.data));
    return success && data.provider === provider ? data : null;
  } catch {
    return null;
  }
}
