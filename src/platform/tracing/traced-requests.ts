import type { Around } from '@palabre/outbound';

import { type Attributes, inSpan, traceHeaders } from './span.js';

/** A span for each outgoing request, with trace headers. Without the path, which may contain secrets. */
export const tracedRequest: Around = ({ url, method }, send) => {
  const attributes: Attributes = {
    httpMethod: method,
    serverAddress: url.hostname,
    serverPort: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
  };
  return inSpan(
    method,
    () => ({ kind: 'client', attributes }),
    async (span) => {
      const answer = await send(traceHeaders());
      span?.set({ httpStatus: answer.statusCode });
      if (answer.statusCode >= 400) span?.end(String(answer.statusCode));
      return answer;
    },
  );
};
