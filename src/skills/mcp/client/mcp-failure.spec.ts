import { SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';

import { echoOf } from '../../http/secret-echo.js';
import { mcpFailureOf } from './mcp-failure.js';

it.each([404, 405])('HTTP %d may be from a server by the transport of 2024', (status) => {
  const error = new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'Refused', { status });
  expect(mcpFailureOf(error, echoOf([]))).toMatchObject({
    kind: 'REFUSED',
    message: expect.stringMatching(`HTTP ${status}.*HTTP\\+SSE.*Streamable HTTP address`),
  });
});
