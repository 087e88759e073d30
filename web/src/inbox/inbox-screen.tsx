import './inbox.css';
import type { TurnInput } from '@palabre/client';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { useMutation, useQuery, useSubscription } from 'urql';

import { InputCard } from '../chat/input-card.js';
import '../chat/chat.css';
import { t } from '../i18n/catalogue.js';
import { whenOf } from '../i18n/dates.js';
import { Icon } from '../parts/icons.js';
import { Page } from '../parts/page.js';
import { Failure, Loading, Nothing } from '../parts/states.js';
import {
  inboxQuery,
  markReadMutation,
  type ListedInput,
  type ListedNotification,
} from './inbox-operations.js';
import { notificationAddedSubscription } from './waiting.js';

/** What waits for this person, and what they were told while they did not look. */
export function InboxScreen() {
  const [{ data, error }, ask] = useQuery({ query: inboxQuery, requestPolicy: 'cache-and-network' });
  const refresh = useCallback(() => ask({ requestPolicy: 'network-only' }), [ask]);
  const [{ data: added }] = useSubscription({ query: notificationAddedSubscription });
  useEffect(() => {
    if (added) refresh();
  }, [added, refresh]);
  const notifications = data?.notifications.edges.map(({ node }) => node) ?? [];
  const inputs = data?.pendingInputs.edges.map(({ node }) => inputIn(node)) ?? [];
  return (
    <Page title={t('screen.inbox')} lead={t('inbox.lead')} isNarrow>
      {error && !data && <Failure error={error} again={refresh} />}
      {!data && !error && <Loading lines={6} />}
      {data && inputs.length === 0 && notifications.length === 0 && (
        <Nothing icon="inbox" title={t('inbox.none')}>
          {t('inbox.noneText')}
        </Nothing>
      )}
      {inputs.length > 0 && (
        <section className="inbox-part" aria-label={t('inbox.inputs')}>
          <h2>{t('inbox.inputs')}</h2>
          {inputs.map((input) => (
            <InputCard key={input.id} input={input} onAnswered={refresh} />
          ))}
        </section>
      )}
      {notifications.length > 0 && (
        <section className="inbox-part" aria-label={t('inbox.notifications')}>
          <h2>{t('inbox.notifications')}</h2>
          <ul className="plain rows">
            {notifications.map((notification) => (
              <Notification key={notification.id} notification={notification} />
            ))}
          </ul>
        </section>
      )}
    </Page>
  );
}

function inputIn(node: ListedInput): TurnInput {
  return ('schema' in node ? { ...node, responseSchema: node.schema } : node) as TurnInput;
}

function Notification({ notification }: { notification: ListedNotification }) {
  const { id, title, body, turn, readAt, createdAt } = notification;
  const [, markRead] = useMutation(markReadMutation);
  return (
    <li className={readAt === null ? 'notification unread' : 'notification'}>
      <div>
        <p className="notification-head">
          <strong>{title}</strong>
          <time className="soft small" dateTime={createdAt}>
            {whenOf(createdAt)}
          </time>
        </p>
        <p className="soft body">{body}</p>
      </div>
      <div className="actions">
        {readAt === null && (
          <button type="button" className="button" onClick={() => void markRead({ id })}>
            <Icon name="check" />
            {t('inbox.markRead')}
          </button>
        )}
        {turn && (
          <Link
            to="/chat/$conversationId"
            params={{ conversationId: turn.conversation.id }}
            className="button"
            onClick={() => void (readAt === null && markRead({ id }))}
          >
            {t('inbox.open')}
          </Link>
        )}
      </div>
    </li>
  );
}
