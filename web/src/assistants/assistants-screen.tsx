import './assistants.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useQuery } from 'urql';

import { t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';
import { Page } from '../parts/page.js';
import { Failure, Loading, Nothing } from '../parts/states.js';
import { AssistantDetails } from './assistant-details.js';
import { assistantsScreenQuery, type ListedAssistant } from './assistants-operations.js';
import { NewAssistant } from './new-assistant.js';

/** Who answers, and what each is told to be. */
export function AssistantsScreen() {
  const { assistant: chosen } = useSearch({ from: '/assistants' });
  const navigate = useNavigate();
  const [{ data, error }, again] = useQuery({
    query: assistantsScreenQuery,
    requestPolicy: 'cache-and-network',
  });
  const [isMaking, setIsMaking] = useState(false);
  const refresh = (): void => again({ requestPolicy: 'network-only' });
  const show = (key: string): void => void navigate({ to: '/assistants', search: { assistant: key } });
  const shown = data?.assistants.find(({ key }) => key === chosen) ?? data?.assistants[0];
  return (
    <Page
      title={t('screen.assistants')}
      lead={t('assistants.lead')}
      actions={
        <button type="button" className="button main" onClick={() => setIsMaking(true)}>
          <Icon name="add" />
          {t('assistants.make')}
        </button>
      }
    >
      {error && !data && <Failure error={error} again={refresh} />}
      {!data && !error && <Loading lines={6} />}
      {data && !shown && <Nothing icon="assistants" title={t('chat.noAssistants')} />}
      {data && shown && (
        <div className="assistants">
          <AssistantList assistants={data.assistants} shown={shown.key} show={show} />
          <AssistantDetails
            key={`${shown.key} ${shown.prompt?.version}`}
            assistant={shown}
            refresh={refresh}
            show={show}
          />
        </div>
      )}
      {isMaking && (
        <NewAssistant
          onClose={() => setIsMaking(false)}
          onMade={(key) => {
            refresh();
            show(key);
          }}
        />
      )}
    </Page>
  );
}

interface AssistantListProps {
  assistants: readonly ListedAssistant[];
  shown: string;
  show: (key: string) => void;
}

function AssistantList({ assistants, shown, show }: AssistantListProps) {
  return (
    <nav aria-label={t('assistants.list')}>
      <ul className="plain rows">
        {assistants.map(({ key, name, strategy, archived }) => (
          <li key={key}>
            <button
              type="button"
              className="assistant-item"
              aria-current={key === shown}
              onClick={() => show(key)}
            >
              <strong>{name}</strong>
              <span className="soft small">
                {archived ? t('assistants.archived') : t(`strategy.${strategy}`)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
