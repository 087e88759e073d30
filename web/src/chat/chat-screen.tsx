import './chat.css';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';

import { Loading } from '../parts/states.js';
import { ConversationList } from './conversation-list.js';
import { NewConversation } from './new-conversation.js';
import { ThreadHead } from './thread-head.js';

/** What reads and draws Markdown is in there: nobody needs that to ask. */
function loadThread() {
  return import('./thread.js');
}
const Thread = lazy(() => loadThread().then(({ Thread }) => ({ default: Thread })));

const IDLE_MS = 1_000;

/** Conversations, and the one that is open. Small windows show one of both. */
export function ChatScreen() {
  const { conversationId } = useParams({ strict: false });
  const [isListShown, setIsListShown] = useState(false);
  const showList = (): void => setIsListShown(true);
  // A question may soon be asked.
  useEffect(() => void setTimeout(() => void loadThread(), IDLE_MS), []);
  return (
    <div className={isListShown ? 'chat with-list' : 'chat'}>
      <ConversationList openId={conversationId} onChosen={() => setIsListShown(false)} />
      {conversationId === undefined ? (
        <NewConversation showList={showList} />
      ) : (
        <Suspense
          fallback={
            <section className="thread">
              <ThreadHead title="" showList={showList} />
              <div className="middle">
                <Loading lines={6} />
              </div>
            </section>
          }
        >
          <Thread key={conversationId} id={conversationId} showList={showList} />
        </Suspense>
      )}
    </div>
  );
}
