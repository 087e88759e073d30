/** What goes into one statement: the embedded database works in this thread, and holds up all others meanwhile. */
const MOST_MESSAGES = 150;
const MOST_CHARACTERS = 150_000;

/** The messages in their order, in parts that are stored one after the other; each has at least one. */
export function* messageBatches<Message extends { text: string }>(
  messages: readonly Message[],
): Generator<Message[]> {
  let batch: Message[] = [];
  let characters = 0;
  for (const message of messages) {
    const isFull = batch.length >= MOST_MESSAGES || characters + message.text.length > MOST_CHARACTERS;
    if (batch.length > 0 && isFull) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(message);
    characters += message.text.length;
  }
  if (batch.length > 0) yield batch;
}
