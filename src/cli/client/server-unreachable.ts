/** There is no server, or what is there is none of ours. The message is for the person at the terminal. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable';
}
