import { Outlet } from '@tanstack/react-router';
import { useQuery } from 'urql';

import { t } from '../i18n/catalogue.js';
import { Announcer } from '../parts/announcer.js';
import { Failure, Loading } from '../parts/states.js';
import { Navigation } from './navigation.js';
import { ViewerContext, viewerQuery } from './viewer.js';

/** What stands around every screen. */
export function Shell() {
  const [{ data, error }, ask] = useQuery({ query: viewerQuery });
  if (!data) {
    return (
      <main className="page">
        {error ? <Failure error={error} again={() => ask({ requestPolicy: 'network-only' })} /> : <Loading />}
      </main>
    );
  }
  return (
    <ViewerContext value={data.viewer}>
      <div className="shell">
        <button type="button" className="skip button" onClick={() => document.querySelector('main')?.focus()}>
          {t('navigation.skip')}
        </button>
        <Navigation />
        <main className="screen" tabIndex={-1}>
          <Outlet />
        </main>
        <Announcer />
      </div>
    </ViewerContext>
  );
}
