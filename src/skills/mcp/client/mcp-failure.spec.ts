import {
  InsufficientScopeError,
  ProtocolError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client';

import { echoOf } from '../../http/secret-echo.js';
import { mcpFailureOf, sentFailure } from './mcp-failure.js';

it.each([404, 405])('HTTP %d may be from a server by the transport of 2024', (status) => {
  const error = new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'Refused', { status });
  expect(mcpFailureOf(error, echoOf([]))).toMatchObject({
    kind: 'REFUSED',
    message: expect.stringMatching(`HTTP ${status}.*HTTP\\+SSE.*Streamable HTTP address`),
  });
});

it.each([
  [{ requiredScope: 'files:write' }, 'lacks the scope files:write'],
  [{}, 'has not the rights for this'],
])('a scope that is lacking is a refusal in words: %j', (challenge, words) => {
  const failure = sentFailure(mcpFailureOf(new InsufficientScopeError(challenge), echoOf([])));
  expect(failure).toMatchObject({ kind: 'REFUSED', isInDoubt: false });
  expect(failure.message).toBe(
    `The server refuses access (HTTP 403): what it is sent to be let in ${words}.`,
  );
});

it('what a person has to open first is told', () => {
  const failureWith = (elicitations: unknown): string =>
    mcpFailureOf(ProtocolError.fromError(-32_042, 'Sign in.', { elicitations }), echoOf([])).message;
  const page = { mode: 'url', elicitationId: '1', url: 'https://a.example/in', message: 'Connect the drive' };
  expect(failureWith([page])).toBe(
    'The server reports an error: Sign in. It wants the person to open https://a.example/in (Connect the drive): ' +
      'tell them so, and call again when they have done it.',
  );
  expect(failureWith([7])).toBe('The server reports an error: Sign in.');
});
