import { Link, useNavigate, useSearch } from '@tanstack/react-router';

import { t } from '../i18n/catalogue.js';
import { daysAgo } from '../i18n/dates.js';
import { Icon } from '../parts/icons.js';
import { Failure, Loading } from '../parts/states.js';
import { ConversationItem } from './conversation-item.js';
import type { ListedConversation } from './conversation-operations.js';
import { ConversationSearch } from './conversation-search.js';
import { useConversations } from './listed-conversations.js';

interface ConversationListProps {
  openId: string | undefined;
  onChosen: () => void;
}

/** The viewer's conversations: those pinned, then the others, the most recently used first. */
export function ConversationList({ openId, onChosen }: ConversationListProps) {
  const { find, archived = false } = useSearch({ from: '/chat' });
  const sought = { archived, ...(find !== undefined && { text: find }) };
  const pinned = useConversations({ ...sought, pinned: true });
  const others = useConversations({ ...sought, pinned: false });
  const { error } = others;
  const isLoaded = pinned.conversations !== null && others.conversations !== null;
  const groups = groupsOf(pinned.conversations ?? [], others.conversations ?? []);
  return (
    <aside className="conversations" aria-label={t('conversations.label')}>
      <header>
        <h2>{archived ? t('conversations.archive') : t('conversations.label')}</h2>
        <Link to="/chat" className="button" onClick={onChosen}>
          <Icon name="add" />
          {t('conversations.new')}
        </Link>
        <ConversationSearch />
      </header>
      <div className="scroller">
        {error && !isLoaded && <Failure error={error} again={others.refresh} />}
        {!isLoaded && !error && <Loading lines={8} />}
        {isLoaded && groups.length === 0 && (
          <p className="soft small none">
            {t(find === undefined ? 'conversations.none' : 'conversations.noneFound')}
          </p>
        )}
        {groups.map(({ title, members }) => (
          <section key={title} aria-label={title}>
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
        {others.showMore && (
          <button type="button" className="button" onClick={others.showMore}>
            {t('action.more')}
          </button>
        )}
      </div>
      <ArchiveButton isOpen={archived} />
    </aside>
  );
}

function ArchiveButton({ isOpen }: { isOpen: boolean }) {
  const navigate = useNavigate();
  const toggle = (): void =>
    void navigate({
      to: '.',
      search: ({ find }) => ({
        ...(find !== undefined && { find }),
        ...(!isOpen && { archived: true as const }),
      }),
    });
  return (
    <button type="button" className="archive-button" aria-pressed={isOpen} onClick={toggle}>
      <Icon name={isOpen ? 'back' : 'archive'} />
      {t(isOpen ? 'conversations.leaveArchive' : 'conversations.archive')}
    </button>
  );
}

interface Group {
  title: string;
  members: readonly ListedConversation[];
}

function groupsOf(pinned: readonly ListedConversation[], others: readonly ListedConversation[]): Group[] {
  // The two lists do not come at the same moment.
  const isPinned = new Set(pinned.map(({ id }) => id));
  const groups = Map.groupBy(
    others.filter(({ id }) => !isPinned.has(id)),
    groupOf,
  );
  const all = [[t('conversations.pinned'), pinned] as const, ...groups];
  return all.flatMap(([title, members]) => (members.length > 0 ? [{ title, members }] : []));
}

function groupOf({ updatedAt }: ListedConversation): string {
  const days = daysAgo(updatedAt);
  if (days <= 0) return t('conversations.today');
  if (days === 1) return t('conversations.yesterday');
  return days <= 7 ? t('conversations.lastWeek') : t('conversations.earlier');
}
