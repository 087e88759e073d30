import type { DrawnPage, PageAnswer, PageRequest } from './page-worker.js';
// oxlint-disable-next-line import/default -- Vite's: the address of what it makes of the module.
import workerAddress from './page-worker.js?worker&url';

/** The page's policy lets this one name scripts: the console has no other way to start a thread. */
const policy = window.trustedTypes?.createPolicy('palabre', { createScriptURL: (url) => url });

/** Draws in a thread of its own, which ends with the drawing or by `signal`. Rejects where it cannot be drawn. */
export async function drawPage(
  request: Omit<PageRequest, 'answer'>,
  signal: AbortSignal,
): Promise<DrawnPage> {
  const url = new URL(workerAddress, import.meta.url).href;
  const address = (policy?.createScriptURL(url) ?? url) as string;
  const worker = new Worker(address, { type: 'module' });
  const { port1, port2 } = new MessageChannel();
  try {
    const answer = await new Promise<PageAnswer>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('Nobody waits for it any more.')));
      worker.addEventListener('error', () => resolve('failed'));
      port1.addEventListener('message', ({ data }: MessageEvent<PageAnswer>) => resolve(data));
      port1.start();
      worker.postMessage({ ...request, answer: port2 } satisfies PageRequest, [port2, request.data]);
    });
    if (answer === 'failed') throw new Error('The page cannot be drawn.');
    return answer;
  } finally {
    worker.terminate();
    port1.close();
  }
}
