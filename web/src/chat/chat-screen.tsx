import './chat.css';
import './markdown.css';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';

import { ConversationList } from './conversation-list.js';
import { NewConversation } from './new-conversation.js';
import { Thread } from './thread.js';

/** Conversations, and the one that is open. Small windows show one of both. */
export function ChatScreen() {
  const { conversationId } = useParams({ strict: false });
  const [isListShown, setIsListShown] = useState(false);
  const showList = (): void => setIsListShown(true);
  return (
    <div className={isListShown ? 'chat with-list' : 'chat'}>
      <ConversationList openId={conversationId} onChosen={() => setIsListShown(false)} />
      {conversationId === undefined ? (
        <NewConversation showList={showList} />
      ) : (
        <Thread key={conversationId} id={conversationId} showList={showList} />
      )}
    </div>
  );
}
