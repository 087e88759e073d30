import { useState } from 'react';
import { useMutation } from 'urql';

import type { ProviderApi } from '../gql/graphql.js';
import { t } from '../i18n/catalogue.js';
import { Confirm } from '../parts/dialog.js';
import { Choice, Field, FormDialog, TextArea } from '../parts/form.js';
import { Icon } from '../parts/icons.js';
import { Failure } from '../parts/states.js';
import {
  deleteProviderMutation,
  type ListedProvider,
  setProviderMutation,
  testProviderMutation,
} from './company-operations.js';
import { CompanyPart } from './company-part.js';

const APIS = ['AUTO', 'CHAT', 'RESPONSES'] as const satisfies ProviderApi[];

interface ProvidersProps {
  providers: readonly ListedProvider[];
  refresh: () => void;
}

/** Who serves models for this company alone, in the place of the installation's provider. */
export function Providers({ providers, refresh }: ProvidersProps) {
  const [isAdding, setIsAdding] = useState(false);
  return (
    <CompanyPart name="providers" add={{ text: t('providers.add'), onClick: () => setIsAdding(true) }}>
      {providers.length === 0 && <p className="soft">{t('providers.none')}</p>}
      {providers.length > 0 && (
        <ul className="plain rows">
          {providers.map((provider) => (
            <ProviderRow key={provider.id} provider={provider} refresh={refresh} />
          ))}
        </ul>
      )}
      {isAdding && <ProviderDialog given={null} onClose={() => setIsAdding(false)} onSaved={refresh} />}
    </CompanyPart>
  );
}

function ProviderRow({ provider, refresh }: { provider: ListedProvider; refresh: () => void }) {
  const { key, baseUrl, models, hasApiKey } = provider;
  const [isChanging, setIsChanging] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);
  const [removing, remove] = useMutation(deleteProviderMutation);
  return (
    <li className="company-row">
      <div>
        <p>
          <button type="button" className="link" onClick={() => setIsChanging(true)}>
            {key}
          </button>{' '}
          {!hasApiKey && <span className="tag">{t('providers.noKey')}</span>}
        </p>
        <p className="soft small">{baseUrl}</p>
        <p className="soft small">
          {models.length === 0 ? t('providers.anyModel') : models.map(({ name }) => name).join(', ')}
        </p>
        <Test provider={key} />
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label={t('providers.deleteOf', { key })}
        onClick={() => setIsDeleting(true)}
      >
        <Icon name="remove" />
      </button>
      {isChanging && (
        <ProviderDialog given={provider} onClose={() => setIsChanging(false)} onSaved={refresh} />
      )}
      {isDeleting && (
        <Confirm
          title={t('providers.deleteOf', { key })}
          text={t('providers.deleteText')}
          action={t('providers.delete')}
          isBusy={removing.fetching}
          error={removing.error}
          onConfirm={() => void remove({ key }).then(({ error }) => error ?? refresh())}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </li>
  );
}

function Test({ provider: key }: { provider: string }) {
  const [{ data, error, fetching }, test] = useMutation(testProviderMutation);
  const tested = data?.testProvider;
  return (
    <>
      <button
        type="button"
        className="button"
        aria-label={t('providers.testOf', { key })}
        disabled={fetching}
        onClick={() => void test({ key })}
      >
        {t('providers.test')}
      </button>
      <div role="status">
        {tested && (
          <p className={tested.ok ? 'small' : 'problem'}>
            {tested.ok
              ? t('providers.answered', { model: tested.model, ms: tested.durationMs })
              : tested.message}
          </p>
        )}
      </div>
      {error && <Failure error={error} />}
    </>
  );
}

interface ProviderDialogProps {
  /** Null: a new one. */
  given: ListedProvider | null;
  onClose: () => void;
  onSaved: () => void;
}

function ProviderDialog({ given, onClose, onSaved }: ProviderDialogProps) {
  const [key, setKey] = useState(given?.key ?? '');
  const [baseUrl, setBaseUrl] = useState(given?.baseUrl ?? '');
  const [api, setApi] = useState<ProviderApi>(given?.api ?? 'AUTO');
  const [apiKey, setApiKey] = useState('');
  const [models, setModels] = useState(given?.models.map(({ name }) => name).join('\n') ?? '');
  const [{ fetching, error }, set] = useMutation(setProviderMutation);
  const save = async (): Promise<void> => {
    const names = models.split(/\s+/).filter((name) => name !== '');
    // Left out, the key stays as it was.
    const secret = apiKey === '' ? {} : { apiKey };
    const { error: refused } = await set({ input: { key, baseUrl, api, models: names, ...secret } });
    if (refused) return;
    onSaved();
    onClose();
  };
  return (
    <FormDialog
      title={given?.key ?? t('providers.add')}
      onSave={save}
      isBusy={fetching}
      error={error}
      onClose={onClose}
    >
      {given === null && (
        <Field
          label={t('providers.key')}
          required
          maxLength={40}
          pattern="[a-z0-9\-]+"
          value={key}
          onChange={setKey}
        />
      )}
      <Field label={t('providers.baseUrl')} type="url" required value={baseUrl} onChange={setBaseUrl} />
      <Field
        label={given?.hasApiKey ? t('providers.apiKeyKept') : t('providers.apiKey')}
        type="password"
        autoComplete="off"
        value={apiKey}
        onChange={setApiKey}
      />
      <TextArea label={t('providers.models')} rows={3} value={models} onChange={setModels} />
      <Choice
        label={t('providers.api')}
        options={APIS.map((one) => [one, t(`providers.api.${one}`)])}
        value={api}
        onChoose={setApi}
      />
    </FormDialog>
  );
}
