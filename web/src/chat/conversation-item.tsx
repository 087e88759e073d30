import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMutation } from 'urql';

import { t } from '../i18n/catalogue.js';
import { Confirm, Dialog } from '../parts/dialog.js';
import { Icon } from '../parts/icons.js';
import { Menu } from '../parts/menu.js';
import { Failure } from '../parts/states.js';
import {
  deleteConversationMutation,
  type ListedConversation,
  updateConversationMutation,
} from './conversation-operations.js';

interface ConversationItemProps {
  conversation: ListedConversation;
  isOpen: boolean;
  onChosen: () => void;
}

export function ConversationItem({ conversation, isOpen, onChosen }: ConversationItemProps) {
  const { id, assistant, activeTurn, pinned, archived } = conversation;
  const title = conversation.title ?? t('conversations.untitled');
  const [opened, setOpened] = useState<'rename' | 'delete' | null>(null);
  const [, update] = useMutation(updateConversationMutation);
  const close = (): void => setOpened(null);
  return (
    <li className={isOpen ? 'conversation open' : 'conversation'}>
      <Link
        to="/chat/$conversationId"
        params={{ conversationId: id }}
        search={(search) => search}
        onClick={onChosen}
      >
        <span className="cut" dir="auto" title={title}>
          {title}
        </span>
        <span className="soft small cut">
          {activeTurn && <span className="pulse" role="img" aria-label={t('conversations.busy')} />}
          {assistant.name}
        </span>
      </Link>
      <Menu label={t('conversations.actionsOf', { title })} face={<Icon name="more" />}>
        <button type="button" onClick={() => setOpened('rename')}>
          <Icon name="edit" />
          {t('conversations.rename')}
        </button>
        <button type="button" onClick={() => void update({ input: { id, pinned: !pinned } })}>
          <Icon name="pin" />
          {t(pinned ? 'conversations.unpin' : 'conversations.pin')}
        </button>
        <button type="button" onClick={() => void update({ input: { id, archived: !archived } })}>
          <Icon name="archive" />
          {t(archived ? 'conversations.unarchive' : 'conversations.putAway')}
        </button>
        <button type="button" className="bad" onClick={() => setOpened('delete')}>
          <Icon name="remove" />
          {t('conversations.delete')}
        </button>
      </Menu>
      {opened === 'rename' && <RenameConversation id={id} title={conversation.title ?? ''} onClose={close} />}
      {opened === 'delete' && <DeleteConversation id={id} title={title} isOpen={isOpen} onClose={close} />}
    </li>
  );
}

function RenameConversation({ id, title, onClose }: { id: string; title: string; onClose: () => void }) {
  const [text, setText] = useState(title);
  const [{ fetching, error }, update] = useMutation(updateConversationMutation);
  return (
    <Dialog title={t('conversations.rename')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void update({ input: { id, title: text } }).then((result) => !result.error && onClose());
        }}
      >
        <label className="field">
          <span>{t('conversations.title')}</span>
          <input required maxLength={200} value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        {error && <Failure error={error} />}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            {t('action.cancel')}
          </button>
          <button type="submit" className="button main" disabled={fetching || text.trim() === ''}>
            {t('action.save')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface DeleteConversationProps {
  id: string;
  title: string;
  isOpen: boolean;
  onClose: () => void;
}

function DeleteConversation({ id, title, isOpen, onClose }: DeleteConversationProps) {
  const [{ fetching, error }, remove] = useMutation(deleteConversationMutation);
  const navigate = useNavigate();
  const confirm = async (): Promise<void> => {
    // The answer is an id: the cache has to be told of what.
    const result = await remove({ id }, { additionalTypenames: ['Conversation', 'ConversationConnection'] });
    if (result.error) return;
    onClose();
    if (isOpen) await navigate({ to: '/chat' });
  };
  return (
    <Confirm
      title={t('conversations.deleteTitle')}
      text={t('conversations.deleteText', { title })}
      action={t('conversations.delete')}
      isBusy={fetching}
      error={error}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}
