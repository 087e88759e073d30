import { useState } from 'react';
import { useMutation } from 'urql';

import { t } from '../i18n/catalogue.js';
import { momentOf } from '../i18n/dates.js';
import { Confirm, Dialog } from '../parts/dialog.js';
import { Field, FormActions, submits } from '../parts/form.js';
import { Icon } from '../parts/icons.js';
import { Failure } from '../parts/states.js';
import { createWebhookMutation, deleteWebhookMutation, type ListedWebhook } from './company-operations.js';
import { CompanyPart } from './company-part.js';
import { Secret } from './secret.js';

/** Which systems are told of notifications. */
export function Webhooks({ webhooks, refresh }: { webhooks: readonly ListedWebhook[]; refresh: () => void }) {
  const [isMaking, setIsMaking] = useState(false);
  return (
    <CompanyPart name="webhooks" add={{ text: t('webhooks.make'), onClick: () => setIsMaking(true) }}>
      {webhooks.length === 0 && <p className="soft">{t('webhooks.none')}</p>}
      {webhooks.length > 0 && (
        <ul className="plain rows">
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} refresh={refresh} />
          ))}
        </ul>
      )}
      {isMaking && <NewWebhook onClose={() => setIsMaking(false)} onMade={refresh} />}
    </CompanyPart>
  );
}

function WebhookRow({ webhook, refresh }: { webhook: ListedWebhook; refresh: () => void }) {
  const { id, url, disabledAt, lastFailure, lastSuccessAt } = webhook;
  const [isAsking, setIsAsking] = useState(false);
  const [{ fetching, error }, remove] = useMutation(deleteWebhookMutation);
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
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label={t('webhooks.deleteOf', { url })}
        onClick={() => setIsAsking(true)}
      >
        <Icon name="remove" />
      </button>
      {isAsking && (
        <Confirm
          title={t('webhooks.deleteTitle')}
          text={t('webhooks.deleteText', { url })}
          action={t('webhooks.delete')}
          isBusy={fetching}
          error={error}
          onClose={() => setIsAsking(false)}
          onConfirm={() => void remove({ id }).then(({ error: refused }) => refused ?? refresh())}
        />
      )}
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
