import { useState } from 'react';
import { useMutation } from 'urql';

import { t } from '../i18n/catalogue.js';
import { momentOf } from '../i18n/dates.js';
import { Dialog } from '../parts/dialog.js';
import { Field, FormActions, submits } from '../parts/form.js';
import { Icon } from '../parts/icons.js';
import { Failure } from '../parts/states.js';
import { createWebhookMutation, deleteWebhookMutation, type ListedWebhook } from './company-operations.js';
import { Secret } from './secret.js';

/** Which systems are told of notifications. */
export function Webhooks({ webhooks, refresh }: { webhooks: readonly ListedWebhook[]; refresh: () => void }) {
  const [isMaking, setIsMaking] = useState(false);
  return (
    <section className="company-part" aria-label={t('webhooks.title')}>
      <header className="page-head">
        <h2>{t('webhooks.title')}</h2>
        <button type="button" className="button" onClick={() => setIsMaking(true)}>
          <Icon name="add" />
          {t('webhooks.make')}
        </button>
      </header>
      {webhooks.length === 0 && <p className="soft">{t('webhooks.none')}</p>}
      {webhooks.length > 0 && (
        <ul className="plain rows">
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} refresh={refresh} />
          ))}
        </ul>
      )}
      {isMaking && <NewWebhook onClose={() => setIsMaking(false)} onMade={refresh} />}
    </section>
  );
}

function WebhookRow({ webhook, refresh }: { webhook: ListedWebhook; refresh: () => void }) {
  const { id, url, disabledAt, lastFailure, lastSuccessAt } = webhook;
  const [{ error }, remove] = useMutation(deleteWebhookMutation);
  return (
    <li className="company-row">
      <div>
        <p>
          <strong>{url}</strong> {disabledAt !== null && <span className="tag bad">{t('webhooks.off')}</span>}
        </p>
        <p className="soft small">
          {lastSuccessAt === null
            ? t('webhooks.never')
            : t('webhooks.last', { moment: momentOf(lastSuccessAt) })}
        </p>
        {lastFailure !== null && <p className="problem">{lastFailure}</p>}
        {error && <Failure error={error} />}
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label={t('webhooks.deleteOf', { url })}
        onClick={() => void remove({ id }).then(({ error: refused }) => refused ?? refresh())}
      >
        <Icon name="remove" />
      </button>
    </li>
  );
}

function NewWebhook({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  const [url, setUrl] = useState('');
  const [{ fetching, error, data }, create] = useMutation(createWebhookMutation);
  const save = async (): Promise<void> => {
    const { error: refused } = await create({ input: { url } });
    if (!refused) onMade();
  };
  const secret = data?.createWebhook.secret;
  return (
    <Dialog title={t('webhooks.make')} onClose={onClose}>
      {secret === undefined ? (
        <form onSubmit={submits(save)}>
          <Field label={t('webhooks.url')} type="url" required value={url} onChange={setUrl} />
          {error && <Failure error={error} />}
          <FormActions isBusy={fetching} onCancel={onClose} />
        </form>
      ) : (
        <Secret secret={secret} onClose={onClose} />
      )}
    </Dialog>
  );
}
