/** A message as the upkeep of conversations quotes it to the model. */
export interface QuotedMessage {
  isMember: boolean;
  text: string;
}

const member = /^(?:Membre|Member|Miembro|成員)[:：]$/;
const speaker = /^[\p{L}\p{N} ]{1,40}[:：]$/u;
const quoted = /^>\s?/;
const heading = /^#\s/;

/** The messages in a text of labels, each with a quotation below it. */
export function quotedMessages(text: string): QuotedMessage[] {
  const messages: { isMember: boolean; lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    if (quoted.test(line)) messages.at(-1)?.lines.push(line.replace(quoted, ''));
    else if (speaker.test(line)) messages.push({ isMember: member.test(line), lines: [] });
  }
  return messages
    .map(({ isMember, lines }) => ({ isMember, text: lines.join('\n').trim() }))
    .filter((message) => message.text !== '');
}

/** What stands above the messages as a list: the points of the summary so far. */
export function earlierPoints(text: string): string[] {
  const lines = text.split('\n');
  const headings = [...lines.keys()].filter((index) => heading.test(lines[index] ?? ''));
  const end = headings.length > 1 ? (headings.at(-1) ?? 0) : 0;
  return lines
    .slice(0, end)
    .filter((line) => line.startsWith('- '))
    .map((line) => line.slice(2).trim());
}
