import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';

/** Node's timers hold no more; a token that lasts longer is looked at again then. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type ClosableSocket = Pick<WebSocket, 'readyState' | 'CLOSED' | 'close'> & {
  once(event: 'close', listener: () => void): unknown;
};

/** Closes the socket as forbidden when its token expires. Null: it does not. */
export const closeAtExpiry = (socket: ClosableSocket, expiresAt: Date | null): void => {
  // The client may have left while the server found out who it is: no event would come to take the timer away.
  if (!expiresAt || socket.readyState === socket.CLOSED) return;
  let timer: NodeJS.Timeout | undefined;
  const arm = (): void => {
    const left = expiresAt.getTime() - Date.now();
    if (left <= 0) socket.close(CloseCode.Forbidden, 'Forbidden');
    else timer = setTimeout(arm, Math.min(left, LONGEST_TIMER_MS));
  };
  arm();
  socket.once('close', () => clearTimeout(timer));
};
