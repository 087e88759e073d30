import { useState } from 'react';
import { useMutation, useQuery } from 'urql';

import { t } from '../i18n/catalogue.js';
import { dayOf } from '../i18n/dates.js';
import { Confirm, Dialog } from '../parts/dialog.js';
import { FormDialog, TextArea } from '../parts/form.js';
import { Icon } from '../parts/icons.js';
import { Menu } from '../parts/menu.js';
import { Failure, Loading } from '../parts/states.js';
import {
  correctMutation,
  forgetMutation,
  memoryHistoryQuery,
  type NotedMemory,
} from './memory-operations.js';

interface MemoryRowProps {
  memory: NotedMemory;
  refresh: () => void;
}

type Task = 'correct' | 'forget' | 'history';

export function MemoryRow({ memory, refresh }: MemoryRowProps) {
  const [task, setTask] = useState<Task | null>(null);
  const close = (): void => setTask(null);
  const done = (): void => {
    close();
    refresh();
  };
  return (
    <li className="memory">
      <div>
        <p className="memory-head">
          <strong>{memory.subject}</strong>
          <span className="tag">{t(`memory.${memory.kind}`)}</span>
          {memory.shared && <span className="tag accent">{t('memory.shared')}</span>}
        </p>
        <p>{memory.content}</p>
        <p className="soft small">
          {t('memory.since', { day: dayOf(memory.validFrom) })} · {t(`memory.by.${memory.source}`)}
        </p>
      </div>
      <Menu label={t('memory.actionsOf', { subject: memory.subject })} face={<Icon name="more" />}>
        <button type="button" onClick={() => setTask('correct')}>
          <Icon name="edit" />
          {t('memory.correct')}
        </button>
        <button type="button" onClick={() => setTask('history')}>
          <Icon name="clock" />
          {t('memory.history')}
        </button>
        <button type="button" className="bad" onClick={() => setTask('forget')}>
          <Icon name="remove" />
          {t('memory.forget')}
        </button>
      </Menu>
      {task === 'correct' && <Correction memory={memory} onClose={close} onDone={done} />}
      {task === 'forget' && <Forgetting memory={memory} onClose={close} onDone={done} />}
      {task === 'history' && <History memory={memory} onClose={close} />}
    </li>
  );
}

interface TaskProps {
  memory: NotedMemory;
  onClose: () => void;
  onDone: () => void;
}

function Correction({ memory: { id, content }, onClose, onDone }: TaskProps) {
  const [text, setText] = useState(content);
  const [{ fetching, error }, correct] = useMutation(correctMutation);
  return (
    <FormDialog
      title={t('memory.correct')}
      onSave={() => correct({ id, content: text }).then(({ error: refused }) => refused ?? onDone())}
      isBusy={fetching}
      error={error}
      onClose={onClose}
    >
      <TextArea label={t('memory.content')} rows={4} required value={text} onChange={setText} />
    </FormDialog>
  );
}

function Forgetting({ memory: { id, subject }, onClose, onDone }: TaskProps) {
  const [{ fetching, error }, forget] = useMutation(forgetMutation);
  return (
    <Confirm
      title={t('memory.forgetTitle')}
      text={t('memory.forgetText', { subject })}
      action={t('memory.forget')}
      isBusy={fetching}
      error={error}
      onClose={onClose}
      onConfirm={() => void forget({ id }).then(({ error: refused }) => refused ?? onDone())}
    />
  );
}

function History({ memory: { id, subject }, onClose }: Omit<TaskProps, 'onDone'>) {
  const [{ data, error }] = useQuery({ query: memoryHistoryQuery, variables: { id } });
  const versions = data?.node && 'history' in data.node ? data.node.history : null;
  return (
    <Dialog title={t('memory.historyOf', { subject })} onClose={onClose}>
      <div className="content">
        {error && <Failure error={error} />}
        {!versions && !error && <Loading />}
        <ol className="plain rows">
          {versions?.map((version) => (
            <li key={version.id} className="memory">
              <div>
                <p>{version.content}</p>
                <p className="soft small">{t('memory.since', { day: dayOf(version.validFrom) })}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </Dialog>
  );
}
