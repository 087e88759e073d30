import './memory.css';
import { useState } from 'react';
import { useQuery } from 'urql';

import type { MemoryKind } from '../gql/graphql.js';
import { t } from '../i18n/catalogue.js';
import { Choice } from '../parts/form.js';
import { Icon } from '../parts/icons.js';
import { Page } from '../parts/page.js';
import { RowsPage } from '../parts/rows-page.js';
import { Nothing } from '../parts/states.js';
import { memoriesQuery } from './memory-operations.js';
import { memoryKinds } from './memory-kinds.js';
import { MemoryRow } from './memory-row.js';
import { RememberDialog } from './remember-dialog.js';
import { WhatWouldBeTold } from './what-would-be-told.js';

/** What is known of this person and of the company, and what a question would be told of it. */
export function MemoryScreen() {
  const [kind, setKind] = useState<MemoryKind | null>(null);
  const [revision, setRevision] = useState(0);
  const [isAdding, setIsAdding] = useState(false);
  const refresh = (): void => setRevision((before) => before + 1);
  return (
    <Page
      title={t('screen.memory')}
      lead={t('memory.lead')}
      actions={
        <button type="button" className="button main" onClick={() => setIsAdding(true)}>
          <Icon name="add" />
          {t('memory.add')}
        </button>
      }
    >
      <WhatWouldBeTold />
      <Choice
        className="filter"
        label={t('memory.kind')}
        options={[['', t('memory.all')], ...memoryKinds.map((one) => [one, t(`memory.${one}`)] as const)]}
        value={kind ?? ''}
        onChoose={(chosen) => setKind(chosen === '' ? null : chosen)}
      />
      <MemoryPage key={`${kind} ${revision}`} kind={kind} after={null} refresh={refresh} />
      {isAdding && <RememberDialog onClose={() => setIsAdding(false)} onKept={refresh} />}
    </Page>
  );
}

interface MemoryPageProps {
  kind: MemoryKind | null;
  after: string | null;
  refresh: () => void;
}

function MemoryPage({ kind, after, refresh }: MemoryPageProps) {
  const query = useQuery({
    query: memoriesQuery,
    variables: { kind, after },
    requestPolicy: 'cache-and-network',
  });
  return (
    <RowsPage
      query={query}
      rowsOf={({ memories }) => memories}
      renderRow={(memory) => <MemoryRow key={memory.id} memory={memory} refresh={refresh} />}
      renderNext={(cursor) => <MemoryPage kind={kind} after={cursor} refresh={refresh} />}
      nothing={
        <Nothing icon="memory" title={t('memory.none')}>
          {t('memory.noneText')}
        </Nothing>
      }
    />
  );
}
