import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useQuery } from 'urql';

import { t } from '../i18n/catalogue.js';
import { daysAgo } from '../i18n/dates.js';
import { Icon } from '../parts/icons.js';
import { Failure, Loading } from '../parts/states.js';
import { ConversationItem } from './conversation-item.js';
import { conversationListQuery, type ListedConversation } from './conversation-operations.js';

const PAGE = 40;

interface ConversationListProps {
  openId: string | undefined;
  onChosen: () => void;
}

/** The viewer's conversations, the most recently used first. */
export function ConversationList({ openId, onChosen }: ConversationListProps) {
  const [size, setSize] = useState(PAGE);
  const [{ data, error }, ask] = useQuery({
    query: conversationListQuery,
    variables: { first: size },
    requestPolicy: 'cache-and-network',
  });
  const conversations = data?.conversations.edges.map(({ node }) => node) ?? [];
  return (
    <aside className="conversations" aria-label={t('conversations.label')}>
      <header>
        <h2>{t('conversations.label')}</h2>
        <Link to="/chat" className="button" onClick={onChosen}>
          <Icon name="add" />
          {t('conversations.new')}
        </Link>
      </header>
      {error && !data && <Failure error={error} again={() => ask({ requestPolicy: 'network-only' })} />}
      {!data && !error && <Loading lines={8} />}
      {data && conversations.length === 0 && <p className="soft small none">{t('conversations.none')}</p>}
      <div className="scroller">
        {groupsOf(conversations).map(({ title, members }) => (
          <section key={title}>
            <h3>{title}</h3>
            <ul className="plain">
              {members.map((conversation) => (
                <ConversationItem
                  key={conversation.id}
                  conversation={conversation}
                  isOpen={conversation.id === openId}
                  onChosen={onChosen}
                />
              ))}
            </ul>
          </section>
        ))}
        {data?.conversations.pageInfo.hasNextPage && (
          <button type="button" className="button" onClick={() => setSize(Math.min(size + PAGE, 100))}>
            {t('action.more')}
          </button>
        )}
      </div>
    </aside>
  );
}

interface Group {
  title: string;
  members: ListedConversation[];
}

function groupsOf(conversations: readonly ListedConversation[]): Group[] {
  const groups: Group[] = [];
  for (const conversation of conversations) {
    const title = groupOf(conversation);
    const last = groups.at(-1);
    if (last?.title === title) last.members.push(conversation);
    else groups.push({ title, members: [conversation] });
  }
  return groups;
}

function groupOf({ updatedAt }: ListedConversation): string {
  const days = daysAgo(updatedAt);
  if (days <= 0) return t('conversations.today');
  if (days === 1) return t('conversations.yesterday');
  return days <= 7 ? t('conversations.lastWeek') : t('conversations.earlier');
}
