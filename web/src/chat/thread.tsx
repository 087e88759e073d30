import './markdown.css';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useQuery, useSubscription } from 'urql';

import { usePalabre } from '../api/client.js';
import { useRetrying } from '../api/retrying.js';
import { language, t } from '../i18n/catalogue.js';
import { Nothing, Failure, FailureText, Loading } from '../parts/states.js';
import { useTitle } from '../parts/page.js';
import { useAsk } from './asking.js';
import { Composer } from './composer.js';
import {
  conversationChangedSubscription,
  conversationQuery,
  type ShownConversation,
} from './conversation-operations.js';
import { Messages } from './messages.js';
import { useScrolling } from './scrolling.js';
import { type OpenSources, SourcesPanel } from './sources-panel.js';
import { ThreadActions } from './thread-actions.js';
import { ThreadHead } from './thread-head.js';
import { useThreadMessages } from './thread-messages.js';
import { isUnderWay } from './turns.js';

/** Messages that are asked for at first. */
const NEWEST = 30;

/** One conversation: what was said, what is being said, and the next question. */
export function Thread({ id, showList }: { id: string; showList: () => void }) {
  const [{ data, error, stale }, ask] = useQuery({
    query: conversationQuery,
    variables: { id, last: NEWEST, language: language() },
    requestPolicy: 'cache-and-network',
  });
  const refresh = useCallback(() => ask({ requestPolicy: 'network-only' }), [ask]);
  const [{ data: changed }] = useSubscription({ query: conversationChangedSubscription, variables: { id } });
  useEffect(() => {
    if (changed) refresh();
  }, [changed, refresh]);
  // A conversation that is shown already may have been asked for anew in vain.
  useRetrying(data && error, refresh);
  const conversation = data?.conversation;
  if (conversation) {
    return <OpenThread conversation={conversation} showList={showList} refresh={refresh} />;
  }
  const isLoading = data === undefined || stale;
  return (
    <section className="thread">
      <ThreadHead title="" showList={showList} />
      <div className="middle">
        {error ? <Failure error={error} again={refresh} /> : isLoading && <Loading lines={6} />}
        {!error && !isLoading && <Nothing icon="chat" title={t('failure.notFound')} />}
      </div>
    </section>
  );
}

interface OpenThreadProps {
  conversation: ShownConversation;
  showList: () => void;
  refresh: () => void;
}

function OpenThread({ conversation, showList, refresh }: OpenThreadProps) {
  const { id, assistant } = conversation;
  const title = conversation.title ?? t('conversations.untitled');
  useTitle(title);
  const palabre = usePalabre();
  const { ask, regenerate, problem } = useAsk();
  const [sources, setSources] = useState<OpenSources | null>(null);
  const { messages, error, showEarlier } = useThreadMessages(conversation);
  const busyTurn = messages.find(({ role, turn }) => role === 'USER' && turn && isUnderWay(turn))?.turn;
  const { ref: scroller, onScroll, toEnd } = useScrolling(showEarlier);

  const actions = useMemo(
    () => ({
      edit: async (replacesMessageId: string, message: string) => {
        await ask({ conversationId: id, message, replacesMessageId, whenBusy: 'INTERRUPT' });
        refresh();
      },
      regenerate: async (messageId: string) => {
        await regenerate({ messageId, whenBusy: 'INTERRUPT' });
        refresh();
      },
      openSources: setSources,
      refresh,
    }),
    [id, ask, regenerate, refresh],
  );

  return (
    <ThreadActions value={actions}>
      <section className={sources ? 'thread with-sources' : 'thread'}>
        <ThreadHead title={title} detail={assistant.name} showList={showList} />
        <div className="scroller" ref={scroller} onScroll={onScroll}>
          <div className="middle">
            {error && <Failure error={error} />}
            {showEarlier && (
              <button type="button" className="button earlier" onClick={showEarlier}>
                {t('chat.earlier')}
              </button>
            )}
            <Messages messages={messages} assistantName={assistant.name} />
          </div>
        </div>
        <div className="middle bottom">
          {problem !== null && <FailureText text={problem} />}
          <Composer
            draftOf={id}
            conversationId={id}
            placeholder={t('chat.ask', { name: assistant.name })}
            onSend={async (message, attachmentIds) => {
              await ask({ conversationId: id, message, attachmentIds });
              toEnd();
              refresh();
            }}
            onStop={busyTurn ? () => void palabre.cancel(busyTurn.id).catch(refresh) : undefined}
          />
          <p className="soft small disclaimer">{t('chat.disclaimer')}</p>
        </div>
      </section>
      {sources && <SourcesPanel {...sources} onClose={() => setSources(null)} />}
    </ThreadActions>
  );
}
