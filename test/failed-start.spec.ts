import { closeFailed } from '../src/app/resources.js';
import { createLogger } from '../src/common/process/logger.js';

const silent = createLogger({ level: 'silent', pretty: false });

it.each([
  ['does not close', () => new Promise<void>(() => undefined)],
  ['fails to close', () => Promise.reject(new Error('No'))],
])('what %s does not keep a start that failed from saying why', async (_, close) => {
  await expect(closeFailed(close, silent, 10)).resolves.toBeUndefined();
});
