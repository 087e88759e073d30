import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useQuery } from 'urql';

import { useViewer } from '../app/viewer.js';
import type { AssistantsQuery } from '../gql/graphql.js';
import { language, t } from '../i18n/catalogue.js';
import { useTitle } from '../parts/page.js';
import { Failure, FailureText, Loading, Nothing } from '../parts/states.js';
import { useAsk } from './asking.js';
import { Composer } from './composer.js';
import { assistantsQuery } from './conversation-operations.js';
import { ThreadHead } from './thread-head.js';

const CHOICE = 'palabre:assistant';

/** Whom to ask, and the first question. */
export function NewConversation({ showList }: { showList: () => void }) {
  useTitle(t('conversations.new'));
  const [{ data, error }, again] = useQuery({ query: assistantsQuery });
  return (
    <section className="thread">
      <ThreadHead title={t('conversations.new')} isBesideHeading showList={showList} />
      {data ? (
        <Welcome assistants={data.assistants} />
      ) : (
        <div className="middle">
          {error ? (
            <Failure error={error} again={() => again({ requestPolicy: 'network-only' })} />
          ) : (
            <Loading />
          )}
        </div>
      )}
    </section>
  );
}

type Assistants = AssistantsQuery['assistants'];

function Welcome({ assistants }: { assistants: Assistants }) {
  const viewer = useViewer();
  const navigate = useNavigate();
  const { ask, problem } = useAsk();
  const [chosen, setChosen] = useState(() => localStorage.getItem(CHOICE));
  const assistant =
    assistants.find(({ key }) => key === chosen) ??
    assistants.find((assistant) => assistant.language === language()) ??
    assistants[0];
  if (!assistant) return <Nothing icon="assistants" title={t('chat.noAssistants')} />;
  return (
    <div className="middle welcome">
      <h1>{t('chat.welcome', { name: viewer.name })}</h1>
      <AssistantChoice
        assistants={assistants}
        chosen={assistant.key}
        choose={(key) => {
          localStorage.setItem(CHOICE, key);
          setChosen(key);
        }}
      />
      {problem !== null && <FailureText text={problem} />}
      <Composer
        draftOf="new"
        placeholder={t('chat.ask', { name: assistant.name })}
        onSend={async (message, attachmentIds) => {
          const { conversationId } = await ask({ message, attachmentIds, assistantKey: assistant.key });
          await navigate({ to: '/chat/$conversationId', params: { conversationId } });
        }}
      />
    </div>
  );
}

interface AssistantChoiceProps {
  assistants: Assistants;
  chosen: string;
  choose: (key: string) => void;
}

function AssistantChoice({ assistants, chosen, choose }: AssistantChoiceProps) {
  return (
    <fieldset className="whom">
      <legend className="soft">{t('chat.whom')}</legend>
      {assistants.map(({ key, name, strategy }) => (
        <label key={key} className="whom-choice">
          <input
            type="radio"
            name="assistant"
            value={key}
            checked={key === chosen}
            onChange={() => choose(key)}
          />
          <strong>{name}</strong>
          <span className="soft small">{t(`strategy.${strategy}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}
