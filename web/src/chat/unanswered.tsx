import { t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';
import type { ShownMessage, ShownTurn } from './conversation-operations.js';
import { useThreadActions } from './thread-actions.js';

/** A question whose turn ended without a word. */
export function Unanswered({ question, turn }: { question: ShownMessage; turn: ShownTurn }) {
  const { regenerate } = useThreadActions();
  return (
    <div className={turn.error ? 'notice bad' : 'notice'}>
      <Icon name={turn.error ? 'alert' : 'stop'} />
      <span className="text">{turn.error?.message ?? t('chat.stopped')}</span>
      <button type="button" className="button" onClick={() => void regenerate(question.id)}>
        <Icon name="again" />
        {t('chat.askAgain')}
      </button>
    </div>
  );
}
