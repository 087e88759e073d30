import { useState } from 'react';
import { useMutation } from 'urql';

import type { ApiKeyScope } from '../gql/graphql.js';
import { t } from '../i18n/catalogue.js';
import { dayOf } from '../i18n/dates.js';
import { Confirm, Dialog } from '../parts/dialog.js';
import { Field, FormActions, submits } from '../parts/form.js';
import { Failure } from '../parts/states.js';
import { createKeyMutation, type ListedKey, deleteKeyMutation } from './company-operations.js';
import { CompanyPart } from './company-part.js';
import { Secret } from './secret.js';

const SCOPES = [
  'READ',
  'TURNS',
  'DOCUMENTS',
  'SKILLS',
  'ADMIN',
  'SPEAK_FOR_OTHERS',
] as const satisfies ApiKeyScope[];

/** What programs sign in with. */
export function ApiKeys({ keys, refresh }: { keys: readonly ListedKey[]; refresh: () => void }) {
  const [isMaking, setIsMaking] = useState(false);
  return (
    <CompanyPart name="api-keys" add={{ text: t('keys.make'), onClick: () => setIsMaking(true) }}>
      {keys.length === 0 && <p className="soft">{t('keys.none')}</p>}
      {keys.length > 0 && (
        <ul className="plain rows">
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} refresh={refresh} />
          ))}
        </ul>
      )}
      {isMaking && <NewKey onClose={() => setIsMaking(false)} onMade={refresh} />}
    </CompanyPart>
  );
}

function KeyRow({ apiKey, refresh }: { apiKey: ListedKey; refresh: () => void }) {
  const { id, name, scopes, createdAt, createdBy, lastUsedAt, revokedAt, pausedAt } = apiKey;
  const [isAsking, setIsAsking] = useState(false);
  const [{ fetching, error }, revoke] = useMutation(deleteKeyMutation);
  const confirm = async (): Promise<void> => {
    const { error: refused } = await revoke({ id });
    if (refused) return;
    setIsAsking(false);
    refresh();
  };
  return (
    <li className="company-row">
      <div>
        <p>
          <strong>{name}</strong>{' '}
          {scopes.map((scope) => (
            <span key={scope} className="tag">
              {t(`keys.${scope}`)}
            </span>
          ))}{' '}
          {revokedAt !== null && <span className="tag bad">{t('keys.revoked')}</span>}
          {pausedAt !== null && <span className="tag wait">{t('keys.paused')}</span>}
        </p>
        <p className="soft small">
          {t('keys.made', { day: dayOf(createdAt), name: createdBy?.name ?? '–' })} ·{' '}
          {lastUsedAt === null ? t('keys.unused') : t('keys.used', { day: dayOf(lastUsedAt) })}
        </p>
      </div>
      {revokedAt === null && (
        <button
          type="button"
          className="button"
          aria-label={t('keys.revokeOf', { name })}
          onClick={() => setIsAsking(true)}
        >
          {t('keys.revoke')}
        </button>
      )}
      {isAsking && (
        <Confirm
          title={t('keys.revokeTitle')}
          text={t('keys.revokeText', { name })}
          action={t('keys.revoke')}
          isBusy={fetching}
          error={error}
          onClose={() => setIsAsking(false)}
          onConfirm={() => void confirm()}
        />
      )}
    </li>
  );
}

function NewKey({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly ApiKeyScope[]>(['READ']);
  const [{ fetching, error, data }, create] = useMutation(createKeyMutation);
  const save = async (): Promise<void> => {
    const { error: refused } = await create({ input: { name, scopes: [...scopes] } });
    if (!refused) onMade();
  };
  const secret = data?.createApiKey.secret;
  return (
    <Dialog title={t('keys.make')} onClose={onClose}>
      {secret === undefined ? (
        <form onSubmit={submits(save)}>
          <Field label={t('keys.name')} required maxLength={100} value={name} onChange={setName} />
          <fieldset>
            <legend>{t('keys.scopes')}</legend>
            {SCOPES.map((scope) => (
              <label key={scope} className="choice">
                <input
                  type="checkbox"
                  checked={scopes.includes(scope)}
                  onChange={({ target }) =>
                    setScopes(SCOPES.filter((one) => (one === scope ? target.checked : scopes.includes(one))))
                  }
                />
                {t(`keys.${scope}`)}
              </label>
            ))}
          </fieldset>
          {error && <Failure error={error} />}
          <FormActions isBusy={fetching || scopes.length === 0} onCancel={onClose} />
        </form>
      ) : (
        <Secret secret={secret} onClose={onClose} />
      )}
    </Dialog>
  );
}
