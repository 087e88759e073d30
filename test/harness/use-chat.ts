import { AbstractChat, type ChatInit, type ChatState, type ChatStatus, type UIMessage } from 'ai';

/** What the hook of @ai-sdk/react keeps in React's state. */
class Memory implements ChatState<UIMessage> {
  messages: UIMessage[] = [];
  status: ChatStatus = 'ready';
  error: Error | undefined;
  pushMessage = (message: UIMessage): void => void this.messages.push(message);
  popMessage = (): void => void this.messages.pop();
  replaceMessage = (index: number, message: UIMessage): void => void (this.messages[index] = message);
  snapshot = <T>(thing: T): T => structuredClone(thing);
}

class Chat extends AbstractChat<UIMessage> {
  constructor(init: ChatInit<UIMessage>) {
    super({ ...init, state: new Memory() });
  }
}

/** `useChat` of @ai-sdk/react without React: the same chat of `ai` behind it, which is not drawn. */
export function useChat({ resume = false, ...init }: ChatInit<UIMessage> & { resume?: boolean }): Chat {
  const chat = new Chat(init);
  if (resume) void chat.resumeStream();
  return chat;
}
