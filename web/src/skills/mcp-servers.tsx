import { useState } from 'react';
import { useMutation, useQuery } from 'urql';

import type { McpServersQuery } from '../gql/graphql.js';
import { t } from '../i18n/catalogue.js';
import { momentOf } from '../i18n/dates.js';
import { Confirm, Dialog } from '../parts/dialog.js';
import { Field, FormActions, submits } from '../parts/form.js';
import { Icon } from '../parts/icons.js';
import { Failure, Loading, Nothing } from '../parts/states.js';
import { ServerSignIn, SignInState } from './server-sign-in.js';
import {
  deleteServerMutation,
  refreshServerMutation,
  registerServerMutation,
  serversQuery,
} from './skills-operations.js';

type OwnServer = McpServersQuery['mcpServersConnection']['edges'][number]['node'];
type InstalledServer = McpServersQuery['installedMcpServers'][number];

/** The servers whose tools are skills: the company's own, and those of the installation. */
export function McpServers({ onClose, onChanged }: { onClose: () => void; onChanged: () => void }) {
  const [{ data, error }, ask] = useQuery({ query: serversQuery, requestPolicy: 'cache-and-network' });
  const [isAdding, setIsAdding] = useState(false);
  const again = (): void => ask({ requestPolicy: 'network-only' });
  const changed = (): void => {
    again();
    onChanged();
  };
  const own = data?.mcpServersConnection.edges.map(({ node }) => node) ?? [];
  const installed = data?.installedMcpServers ?? [];
  return (
    <Dialog title={t('servers.title')} onClose={onClose} className="wide">
      <div className="content">
        {error && !data && <Failure error={error} again={again} />}
        {!data && !error && <Loading />}
        {data && own.length + installed.length === 0 && <Nothing icon="skills" title={t('servers.none')} />}
        <ul className="plain rows">
          {own.map((server) => (
            <OwnServerRow key={server.id} server={server} onChanged={changed} />
          ))}
          {installed.map((server) => (
            <InstalledServerRow key={server.key} server={server} />
          ))}
        </ul>
        {isAdding ? (
          <NewServer
            onClose={() => setIsAdding(false)}
            onMade={() => {
              setIsAdding(false);
              changed();
            }}
          />
        ) : (
          <div className="actions">
            <button type="button" className="button" onClick={() => setIsAdding(true)}>
              <Icon name="add" />
              {t('servers.add')}
            </button>
          </div>
        )}
      </div>
    </Dialog>
  );
}

function OwnServerRow({ server, onChanged }: { server: OwnServer; onChanged: () => void }) {
  const { key, url, checkedAt, failure, notes } = server;
  const [refreshing, refresh] = useMutation(refreshServerMutation);
  const [removing, remove] = useMutation(deleteServerMutation);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <li className="server">
      <div className="skill-facts">
        <p className="skill-name">
          <strong>{key}</strong>
          {failure !== null && <span className="tag bad">{t('servers.FAILED')}</span>}
          <SignInState authorization={server.authorization} />
        </p>
        <p className="soft small">{url}</p>
        <p className="soft small">
          {checkedAt === null ? t('servers.never') : t('servers.checked', { moment: momentOf(checkedAt) })}
        </p>
        {failure !== null && <p className="problem">{failure}</p>}
        <Notes notes={notes} />
        <ServerSignIn server={server} onChanged={onChanged} />
        {refreshing.error && <Failure error={refreshing.error} />}
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label={t('servers.refresh', { key })}
        disabled={refreshing.fetching}
        onClick={() => void refresh({ key }).then(onChanged)}
      >
        <Icon name="again" />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={t('servers.delete', { key })}
        onClick={() => setIsAsking(true)}
      >
        <Icon name="remove" />
      </button>
      {isAsking && (
        <Confirm
          title={t('servers.delete', { key })}
          text={t('servers.deleteText')}
          action={t('servers.deleteDo')}
          isBusy={removing.fetching}
          error={removing.error}
          onConfirm={() => void remove({ key }).then(({ error }) => error ?? onChanged())}
          onClose={() => setIsAsking(false)}
        />
      )}
    </li>
  );
}

function InstalledServerRow({ server: { key, state, tools, failure, notes } }: { server: InstalledServer }) {
  return (
    <li className="server">
      <div className="skill-facts">
        <p className="skill-name">
          <strong>{key}</strong>
          <span className={state === 'FAILED' ? 'tag bad' : 'tag'}>{t(`servers.${state}`)}</span>
        </p>
        <p className="soft small">{t('servers.installed', { count: tools })}</p>
        {failure !== null && <p className="problem">{failure}</p>}
        <Notes notes={notes} />
      </div>
    </li>
  );
}

function Notes({ notes }: { notes: readonly string[] }) {
  return notes.map((note) => (
    <p key={note} className="soft small">
      {note}
    </p>
  ));
}

function NewServer({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  const [key, setKey] = useState('');
  const [url, setUrl] = useState('');
  const [authorization, setAuthorization] = useState('');
  const [{ fetching, error }, register] = useMutation(registerServerMutation);
  const save = async (): Promise<void> => {
    const value = authorization.trim();
    const headers = value === '' ? [] : [{ name: 'Authorization', value }];
    const { error: refused } = await register({ input: { key, url, headers } });
    if (!refused) onMade();
  };
  return (
    <form className="access" onSubmit={submits(save)}>
      <Field label={t('servers.key')} required maxLength={30} value={key} onChange={setKey} />
      <Field label={t('servers.url')} type="url" required value={url} onChange={setUrl} />
      <Field
        label={t('servers.authorization')}
        type="password"
        autoComplete="off"
        value={authorization}
        onChange={setAuthorization}
      />
      {error && <Failure error={error} />}
      <FormActions isBusy={fetching} onCancel={onClose} />
    </form>
  );
}
