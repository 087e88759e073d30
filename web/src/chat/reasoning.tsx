import { t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';

/** What the model thought, folded: it is no part of the answer. */
export function Reasoning({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <details className="steps">
      <summary>
        <Icon name="next" />
        {t('chat.reasoning')}
      </summary>
      <p className="result thoughts">{text}</p>
    </details>
  );
}
