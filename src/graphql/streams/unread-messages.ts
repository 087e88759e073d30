import type { Socket } from 'node:net';

import type { WebSocket } from 'ws';

const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * Stops reading what a client sends while more than a mebibyte waits for it to read: it could ask on and on, and
 * every answer, be it a refusal, would be kept for it. `connection` is the one beneath `socket`.
 */
export const holdWhileUnread = (socket: WebSocket, connection: Socket): void => {
  socket.on('message', () => {
    if (socket.isPaused || connection.writableLength <= MAX_WAITING_BYTES) return;
    socket.pause();
    connection.once('drain', () => socket.resume());
  });
};
