import type { TurnInput } from '@palabre/client';
import { type ReactNode, useEffect, useState } from 'react';

import { t } from '../i18n/catalogue.js';
import { momentOf } from '../i18n/dates.js';
import { announce } from '../parts/announcer.js';
import { Icon } from '../parts/icons.js';
import { FailureText } from '../parts/states.js';
import { useAnswering } from './answering.js';
import { ApprovalCard } from './approval-card.js';
import { fieldsOf, InputField, valueOf } from './input-fields.js';

type InputOf<Kind extends TurnInput['kind']> = Extract<TurnInput, { kind: Kind }>;

interface InputCardProps<Kind extends TurnInput['kind'] = TurnInput['kind']> {
  input: InputOf<Kind>;
  /** Given where it stands apart from its conversation. */
  onAnswered?: () => void;
}

/** What a turn waits for a person to give. */
export function InputCard({ input, ...props }: InputCardProps) {
  switch (input.kind) {
    case 'APPROVAL':
      return <ApprovalCard approval={input} {...props} />;
    case 'QUESTION':
      return <QuestionCard input={input} {...props} />;
    case 'MCP_INPUT':
      return <McpCard input={input} {...props} />;
    case 'CLIENT_SKILL':
      return <ClientSkillCard input={input} {...props} />;
  }
}

function QuestionCard({ input, onAnswered }: InputCardProps<'QUESTION'>) {
  const { id, prompt, responseSchema } = input;
  const { answer, ...answering } = useAnswering(onAnswered);
  return (
    <Card title={t('input.question')} text={prompt} input={input} {...answering}>
      <AnswerForm
        schema={responseSchema}
        isBusy={answering.isBusy}
        onAnswer={(value) => void answer({ question: { id, value } })}
        onDecline={() => void answer({ question: { id, declined: true } })}
      />
    </Card>
  );
}

function McpCard({ input, onAnswered }: InputCardProps<'MCP_INPUT'>) {
  const { id, server, message, responseSchema, url } = input;
  const { answer, ...answering } = useAnswering(onAnswered);
  const decline = (): void => void answer({ mcp: { id, declined: true } });
  return (
    <Card title={t('input.mcp', { server })} text={message} input={input} {...answering}>
      <p className="soft small">{t('input.mcpText')}</p>
      {url === null ? (
        <AnswerForm
          schema={responseSchema}
          isBusy={answering.isBusy}
          onAnswer={(value) => void answer({ mcp: { id, ...(responseSchema !== null && { value }) } })}
          onDecline={decline}
        />
      ) : (
        <PageToOpen
          url={url}
          isBusy={answering.isBusy}
          onConfirm={() => void answer({ mcp: { id } })}
          onDecline={decline}
        />
      )}
    </Card>
  );
}

function ClientSkillCard({ input, onAnswered }: InputCardProps<'CLIENT_SKILL'>) {
  const { id, skill } = input;
  const { answer, ...answering } = useAnswering(onAnswered);
  return (
    <Card
      title={t('input.clientSkill', { skill })}
      text={t('input.clientSkillText')}
      input={input}
      {...answering}
    >
      <div className="actions">
        <Decline
          isBusy={answering.isBusy}
          onDecline={() => void answer({ clientSkill: { id, error: 'The user declined.' } })}
        />
      </div>
    </Card>
  );
}

interface CardProps {
  title: string;
  text: string;
  input: TurnInput;
  problem: string | null;
  children: ReactNode;
}

function Card({ title, text, input, problem, children }: CardProps) {
  useEffect(() => announce(`${title} ${text}`), [title, text]);
  return (
    <section className="approval" aria-label={`${title}: ${text}`}>
      <p className="input-title">
        <Icon name="person" />
        {title}
      </p>
      <p className="asked">{text}</p>
      {problem !== null && <FailureText text={problem} />}
      {children}
      <p className="soft small">{t('input.expires', { moment: momentOf(input.expiresAt) })}</p>
    </section>
  );
}

interface AnswerFormProps {
  schema: unknown;
  isBusy: boolean;
  onAnswer: (value: Record<string, unknown>) => void;
  onDecline: () => void;
}

/** The browser says what is missing; what else does not fit, the server does. */
function AnswerForm({ schema, isBusy, onAnswer, onDecline }: AnswerFormProps) {
  const fields = fieldsOf(schema);
  return (
    <form
      className="input-form"
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(valueOf(fields, new FormData(event.currentTarget)));
      }}
    >
      {fields.map((field) => (
        <InputField key={field.name} field={field} />
      ))}
      <div className="actions">
        <Decline isBusy={isBusy} onDecline={onDecline} />
        <button type="submit" className="button main" disabled={isBusy}>
          {t('input.answer')}
        </button>
      </div>
    </form>
  );
}

interface PageToOpenProps {
  url: string;
  isBusy: boolean;
  onConfirm: () => void;
  onDecline: () => void;
}

/** Where it leads is shown whole, and nothing is opened by itself. */
function PageToOpen({ url, isBusy, onConfirm, onDecline }: PageToOpenProps) {
  const [isOpened, setIsOpened] = useState(false);
  const isPage = /^https?:\/\//i.test(url) && URL.canParse(url);
  return (
    <>
      <p className="code address">{url}</p>
      <div className="actions">
        <Decline isBusy={isBusy} onDecline={onDecline} />
        {isPage && (
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            className="button"
            onClick={() => setIsOpened(true)}
          >
            <Icon name="outside" />
            {t('input.openPage', { host: new URL(url).host })}
          </a>
        )}
        <button type="button" className="button main" disabled={isBusy || !isOpened} onClick={onConfirm}>
          {t('input.opened')}
        </button>
      </div>
    </>
  );
}

function Decline({ isBusy, onDecline }: { isBusy: boolean; onDecline: () => void }) {
  return (
    <button type="button" className="button" disabled={isBusy} onClick={onDecline}>
      {t('input.decline')}
    </button>
  );
}
