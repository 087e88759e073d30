import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMutation } from 'urql';

import { t } from '../i18n/catalogue.js';
import { Confirm } from '../parts/dialog.js';
import { Icon } from '../parts/icons.js';
import { Menu } from '../parts/menu.js';
import { deleteConversationMutation, type ListedConversation } from './conversation-operations.js';

interface ConversationItemProps {
  conversation: ListedConversation;
  isOpen: boolean;
  onChosen: () => void;
}

export function ConversationItem({ conversation, isOpen, onChosen }: ConversationItemProps) {
  const { id, assistant, activeTurn } = conversation;
  const title = conversation.title ?? t('conversations.untitled');
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <li className={isOpen ? 'conversation open' : 'conversation'}>
      <Link to="/chat/$conversationId" params={{ conversationId: id }} onClick={onChosen}>
        <span className="cut">{title}</span>
        <span className="soft small cut">
          {activeTurn && <span className="pulse" role="img" aria-label={t('conversations.busy')} />}
          {assistant.name}
        </span>
      </Link>
      <Menu label={t('conversations.actionsOf', { title })} face={<Icon name="more" />}>
        <button type="button" className="bad" onClick={() => setIsDeleting(true)}>
          <Icon name="remove" />
          {t('conversations.delete')}
        </button>
      </Menu>
      {isDeleting && (
        <DeleteConversation id={id} title={title} isOpen={isOpen} onClose={() => setIsDeleting(false)} />
      )}
    </li>
  );
}

interface DeleteConversationProps {
  id: string;
  title: string;
  isOpen: boolean;
  onClose: () => void;
}

function DeleteConversation({ id, title, isOpen, onClose }: DeleteConversationProps) {
  const [{ fetching }, remove] = useMutation(deleteConversationMutation);
  const navigate = useNavigate();
  const confirm = async (): Promise<void> => {
    // The answer is an id: the cache has to be told of what.
    const { error } = await remove(
      { id },
      { additionalTypenames: ['Conversation', 'ConversationConnection'] },
    );
    if (error) return;
    onClose();
    if (isOpen) await navigate({ to: '/chat' });
  };
  return (
    <Confirm
      title={t('conversations.deleteTitle')}
      text={t('conversations.deleteText', { title })}
      action={t('conversations.delete')}
      isBusy={fetching}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}
