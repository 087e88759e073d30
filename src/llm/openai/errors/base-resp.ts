import { z } from 'zod';

/** MiniMax answers with the status 200 whatever happens, and puts what did happen here; 0 where all went well. */
export const BaseResp = z.object({
  status_code: z.number().nullish(),
  status_msg: z.string().nullish(),
});
export type BaseResp = z.infer<typeof BaseResp>;

/** Its codes in those of HTTP. What is not here is a fault of its own. https://platform.minimax.io/docs/api-reference/errorcode */
const statusOf: Readonly<Record<number, number>> = {
  1001: 408,
  1002: 429,
  1004: 401,
  1008: 402,
  1039: 429,
  2013: 400,
  2049: 401,
};
/** What was asked, and what was answered. */
const filteredCodes: ReadonlySet<number> = new Set([1026, 1027]);

/** The error in the form that others have it in; null: there is none. */
export function baseRespError(baseResp: BaseResp | null | undefined): object | null {
  if (!baseResp?.status_code) return null;
  const { status_code: code, status_msg: message } = baseResp;
  const known = filteredCodes.has(code) ? 'content_filter' : statusOf[code];
  return { ...(known === undefined ? {} : { code: known }), message: message ?? '', base_resp: baseResp };
}
