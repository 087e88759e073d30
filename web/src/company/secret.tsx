import { useState } from 'react';

import { t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';

/** What is shown once, and never again. */
export function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const [isCopied, setIsCopied] = useState(false);
  return (
    <div className="content">
      <p>{t('secret.once')}</p>
      <pre className="data">{secret}</pre>
      <div className="actions">
        <button
          type="button"
          className="button"
          onClick={() => void navigator.clipboard.writeText(secret).then(() => setIsCopied(true))}
        >
          <Icon name={isCopied ? 'check' : 'copy'} />
          {isCopied ? t('chat.copied') : t('chat.copy')}
        </button>
        <button type="button" className="button main" onClick={onClose}>
          {t('action.close')}
        </button>
      </div>
    </div>
  );
}
