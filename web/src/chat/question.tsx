import { useState } from 'react';

import { t } from '../i18n/catalogue.js';
import { timeOf } from '../i18n/dates.js';
import { Icon } from '../parts/icons.js';
import { AttachmentLinks } from './attachment-links.js';
import type { ShownMessage } from './conversation-operations.js';
import { useThreadActions } from './thread-actions.js';
import { VersionSwitch } from './version-switch.js';

/** What the viewer has asked. It can be asked otherwise: the answers from before stay, as another branch. */
export function Question({ message }: { message: ShownMessage }) {
  const [isEdited, setIsEdited] = useState(false);
  if (isEdited) return <QuestionEditor message={message} onEnd={() => setIsEdited(false)} />;
  return (
    <article className="question" aria-label={t('chat.questionOf', { time: timeOf(message.createdAt) })}>
      <AttachmentLinks parts={message.parts} />
      <p className="bubble" dir="auto">
        {message.text}
      </p>
      <div className="message-actions">
        <VersionSwitch message={message} />
        {message.turn && (
          <button
            type="button"
            className="icon-button"
            aria-label={t('chat.edit')}
            title={t('chat.edit')}
            onClick={() => setIsEdited(true)}
          >
            <Icon name="edit" />
          </button>
        )}
      </div>
    </article>
  );
}

function QuestionEditor({ message, onEnd }: { message: ShownMessage; onEnd: () => void }) {
  const { edit } = useThreadActions();
  const [text, setText] = useState(message.text);
  const [isBusy, setIsBusy] = useState(false);
  const send = async (): Promise<void> => {
    setIsBusy(true);
    try {
      await edit(message.id, text);
      onEnd();
    } catch {
      setIsBusy(false);
    }
  };
  return (
    <form
      className="question-editor"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => event.key === 'Escape' && onEnd()}
    >
      <textarea
        aria-label={t('chat.edit')}
        dir="auto"
        rows={3}
        value={text}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- Whoever asked for it wants to write there.
        autoFocus
        onChange={(event) => setText(event.target.value)}
      />
      <div className="actions">
        <button type="button" className="button" onClick={onEnd}>
          {t('action.cancel')}
        </button>
        <button type="submit" className="button main" disabled={isBusy || text.trim() === ''}>
          {t('chat.send')}
        </button>
      </div>
    </form>
  );
}
