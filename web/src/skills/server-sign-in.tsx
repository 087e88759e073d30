import { useEffect, useState } from 'react';
import { useMutation } from 'urql';

import type { McpServersQuery } from '../gql/graphql.js';
import { t } from '../i18n/catalogue.js';
import { Failure } from '../parts/states.js';
import { authorizeServerMutation, deauthorizeServerMutation } from './skills-operations.js';

type Server = McpServersQuery['mcpServersConnection']['edges'][number]['node'];

/** How the company stands with a server that wants somebody to sign in; nothing for the others. */
export function SignInState({ authorization }: Pick<Server, 'authorization'>) {
  if (authorization === 'NONE') return null;
  const isFine = authorization === 'GRANTED';
  return <span className={isFine ? 'tag' : 'tag bad'}>{t(`servers.sign-in.${authorization}`)}</span>;
}

/** Signs in at a server on a page of its own, and out again. */
export function ServerSignIn({ server, onChanged }: { server: Server; onChanged: () => void }) {
  const { key, authorization, grantedAt } = server;
  const [beginning, begin] = useMutation(authorizeServerMutation);
  const [ending, end] = useMutation(deauthorizeServerMutation);
  const [url, setUrl] = useState<string | null>(null);
  const [isOpened, setIsOpened] = useState(false);
  // Nothing tells that the other page is done, but people come back from it. It is used up then, also if they declined.
  useEffect(() => {
    if (!isOpened) return;
    const comeBack = (): void => {
      setUrl(null);
      onChanged();
    };
    window.addEventListener('focus', comeBack);
    return () => window.removeEventListener('focus', comeBack);
  }, [isOpened, onChanged]);
  const open = (): void => setIsOpened(true);
  const ask = async (): Promise<void> => {
    const { data } = await begin({ input: { key } });
    if (!data) return;
    const page = data.authorizeMcpServer.url ?? null;
    setIsOpened(false);
    setUrl(page);
    if (page === null) onChanged();
  };
  const leave = async (): Promise<void> => {
    setUrl(null);
    if (!(await end({ key })).error) onChanged();
  };
  const error = beginning.error ?? ending.error;
  if (authorization === 'NONE') return null;
  return (
    <div className="actions">
      {authorization !== 'GRANTED' &&
        (url === null ? (
          <button type="button" className="button" disabled={beginning.fetching} onClick={() => void ask()}>
            {t('servers.signIn', { key })}
          </button>
        ) : (
          <a
            className="button main"
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            onClick={open}
            onAuxClick={open}
          >
            {t('servers.signInPage', { host: new URL(url).host })}
          </a>
        ))}
      {/* Also while the sign-in is over, or too narrow: the tokens of one that is too narrow are kept until then. */}
      {grantedAt !== null && (
        <button type="button" className="button" disabled={ending.fetching} onClick={() => void leave()}>
          {t('servers.signOut', { key })}
        </button>
      )}
      {error && <Failure error={error} />}
    </div>
  );
}
