import { MAX_PAYLOAD_BYTES } from './pub-sub.js';

/** A hint on its way from one replica to the others. */
export interface Hint {
  /** The replica that it comes from. */
  from: string;
  topic: string;
  payload: string;
}

const TOPIC = /^[A-Za-z0-9.-]{1,100}$/;

const FORM = /^([\w-]{1,40}) ([A-Za-z0-9.-]{1,100}) (.*)$/s;

/** As one text. Throws for what does not fit. */
export const writeHint = ({ from, topic, payload }: Hint): string => {
  if (!TOPIC.test(topic)) throw new Error('A topic has 1 to 100 letters, digits, dots and hyphens.');
  const bytes = Buffer.byteLength(payload);
  if (bytes > MAX_PAYLOAD_BYTES) {
    throw new Error(`A hint on ${topic} has ${bytes} bytes; ${MAX_PAYLOAD_BYTES} are the most.`);
  }
  return `${from} ${topic} ${payload}`;
};

/** Null: it is none. Whoever may use the database can send anything to the channel. */
export const readHint = (text: string): Hint | null => {
  const [, from, topic, payload] = FORM.exec(text) ?? [];
  return from === undefined || topic === undefined || payload === undefined ? null : { from, topic, payload };
};
