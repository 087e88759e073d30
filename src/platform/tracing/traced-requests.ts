import type { Around } from '@palabre/outbound';

import { attribute } from './semantic-names.js';
import { inSpan, traceHeaders } from './span.js';

/** A span for each request to others, which they are told of. The path is not told: it may hold secrets. */
export const tracedRequest: Around = ({ url, method }, send) => {
  const attributes = {
    [attribute.httpMethod]: method,
    [attribute.serverAddress]: url.hostname,
    [attribute.serverPort]: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
  };
  return inSpan(
    method,
    () => ({ kind: 'client', attributes }),
    async (span) => {
      const answer = await send(traceHeaders());
      span?.set({ [attribute.httpStatus]: answer.statusCode });
      if (answer.statusCode >= 400) span?.end(String(answer.statusCode));
      return answer;
    },
  );
};
