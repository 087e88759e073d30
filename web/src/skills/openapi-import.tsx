import { useId, useState } from 'react';
import { useMutation } from 'urql';

import { Dialog } from '../parts/dialog.js';
import { Field, submits, TextArea } from '../parts/form.js';
import { Failure, Nothing } from '../parts/states.js';
import type { ImportOpenApiMutation, OpenApiSourceInput, PreviewOpenApiMutation } from '../gql/graphql.js';
import { t } from '../i18n/catalogue.js';
import { importMutation, previewMutation } from './skills-operations.js';

type Preview = PreviewOpenApiMutation['previewOpenApiImport'];
type Outcome = ImportOpenApiMutation['importOpenApiOperations'];

/** As many as the API imports at once. */
const MAX_OPERATIONS = 50;

/** Makes skills of a service that describes itself: the document, then what of it, then what came of it. */
export function OpenApiImport({ onClose, onChanged }: { onClose: () => void; onChanged: () => void }) {
  const [source, setSource] = useState<OpenApiSourceInput | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  return (
    <Dialog title={t('skills.import')} onClose={onClose} className="wide">
      {outcome ? (
        <Imported outcome={outcome} onClose={onClose} />
      ) : source && preview ? (
        <Operations
          source={source}
          preview={preview}
          onBack={() => setPreview(null)}
          onDone={(made) => {
            setOutcome(made);
            onChanged();
          }}
        />
      ) : (
        <Source
          given={source}
          onRead={(input, read) => {
            setSource(input);
            setPreview(read);
          }}
        />
      )}
    </Dialog>
  );
}

interface SourceProps {
  given: OpenApiSourceInput | null;
  onRead: (source: OpenApiSourceInput, preview: Preview) => void;
}

function Source({ given, onRead }: SourceProps) {
  const [place, setPlace] = useState(given?.url ?? given?.document ?? '');
  const [prefix, setPrefix] = useState(given?.prefix ?? '');
  const [{ fetching, error }, read] = useMutation(previewMutation);
  const isAddress = /^\s*https?:\/\/\S+\s*$/.test(place);
  const submit = async (): Promise<void> => {
    const input = {
      ...(isAddress ? { url: place.trim() } : { document: place }),
      ...(prefix.trim() !== '' && { prefix: prefix.trim() }),
    };
    const { data } = await read({ input });
    if (data) onRead(input, data.previewOpenApiImport);
  };
  return (
    <form className="content" onSubmit={submits(submit)}>
      <TextArea label={t('skills.import.document')} rows={5} required value={place} onChange={setPlace} />
      <Field label={t('skills.import.prefix')} maxLength={30} value={prefix} onChange={setPrefix} />
      {error && <Failure error={error} />}
      <div className="actions">
        <button type="submit" className="button main" disabled={fetching || place.trim() === ''}>
          {fetching ? t('skills.import.reading') : t('skills.import.read')}
        </button>
      </div>
    </form>
  );
}

interface OperationsProps {
  source: OpenApiSourceInput;
  preview: Preview;
  onBack: () => void;
  onDone: (outcome: Outcome) => void;
}

function Operations({ source, preview, onBack, onDone }: OperationsProps) {
  const { title, operations, omitted, credentials } = preview;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [serverUrl, setServerUrl] = useState(preview.serverUrl ?? '');
  const [replace, setReplace] = useState(false);
  const [secrets, setSecrets] = useState<Record<string, string>>({});
  const [{ fetching, error }, bring] = useMutation(importMutation);
  const submit = async (): Promise<void> => {
    const given = credentials.flatMap(({ name, in: place }) =>
      secrets[name] ? [{ name, in: place, value: secrets[name] }] : [],
    );
    const { data } = await bring({
      input: {
        ...source,
        operations: [...chosen],
        replace,
        ...(serverUrl.trim() !== '' && { serverUrl: serverUrl.trim() }),
        ...(given.length > 0 && { secrets: given }),
      },
    });
    if (data) onDone(data.importOpenApiOperations);
  };
  return (
    <form className="content" onSubmit={submits(submit)}>
      <p>{t('skills.import.found', { title, count: operations.length + omitted })}</p>
      <OperationList preview={preview} chosen={chosen} onChoose={setChosen} />
      <Field
        label={t('skills.import.server')}
        type="url"
        required
        value={serverUrl}
        onChange={setServerUrl}
      />
      {credentials.map(({ name }) => (
        <Field
          key={name}
          label={t('skills.import.secret', { name })}
          type="password"
          autoComplete="off"
          value={secrets[name] ?? ''}
          onChange={(value) => setSecrets({ ...secrets, [name]: value })}
        />
      ))}
      <label className="choice">
        <input type="checkbox" checked={replace} onChange={({ target }) => setReplace(target.checked)} />
        {t('skills.import.replace')}
      </label>
      {error && <Failure error={error} />}
      <ImportActions count={chosen.size} isBusy={fetching} onBack={onBack} />
    </form>
  );
}

interface ImportActionsProps {
  count: number;
  isBusy: boolean;
  onBack: () => void;
}

function ImportActions({ count, isBusy, onBack }: ImportActionsProps) {
  const isTooMany = count > MAX_OPERATIONS;
  return (
    <>
      {isTooMany && (
        <p className="problem" role="alert">
          {t('skills.import.most', { count: MAX_OPERATIONS })}
        </p>
      )}
      <div className="actions">
        <button type="button" className="button" onClick={onBack}>
          {t('skills.import.back')}
        </button>
        <button type="submit" className="button main" disabled={isBusy || count === 0 || isTooMany}>
          {t('skills.import.do', { count })}
        </button>
      </div>
    </>
  );
}

interface OperationListProps {
  preview: Preview;
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

function OperationList({ preview: { operations, omitted }, chosen, onChoose }: OperationListProps) {
  const importable = operations.filter(({ isImportable }) => isImportable).map((one) => one.operationId);
  const choose = (ids: readonly string[], isChosen: boolean): void => {
    const others = [...chosen].filter((id) => !ids.includes(id));
    onChoose(new Set(isChosen ? [...others, ...ids] : others));
  };
  if (operations.length === 0) return <Nothing icon="skills" title={t('skills.import.nothing')} />;
  return (
    <>
      {importable.length > 0 && (
        <label className="choice">
          <input
            type="checkbox"
            checked={importable.every((id) => chosen.has(id))}
            onChange={({ target }) => choose(importable, target.checked)}
          />
          {t('skills.import.all')}
        </label>
      )}
      <ul className="plain rows operations">
        {operations.map((operation) => (
          <OperationRow
            key={operation.operationId}
            operation={operation}
            isChosen={chosen.has(operation.operationId)}
            onChoose={(isChosen) => choose([operation.operationId], isChosen)}
          />
        ))}
      </ul>
      {omitted > 0 && <p className="soft small">{t('skills.import.omitted', { count: omitted })}</p>}
    </>
  );
}

interface OperationRowProps {
  operation: Preview['operations'][number];
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}

function OperationRow({ operation, isChosen, onChoose }: OperationRowProps) {
  const { key, method, path, summary, isImportable, problems } = operation;
  const id = useId();
  return (
    <li>
      <label className="choice">
        <input
          type="checkbox"
          checked={isChosen}
          disabled={!isImportable}
          aria-describedby={id}
          onChange={({ target }) => onChoose(target.checked)}
        />
        {key} <span className="tag">{`${method} ${path}`}</span>
      </label>
      <div id={id} className="small">
        {summary !== '' && <p className="soft">{summary}</p>}
        {problems.map((problem) => (
          <p key={problem} className={isImportable ? 'soft' : 'problem'}>
            {problem}
          </p>
        ))}
      </div>
    </li>
  );
}

function Imported({ outcome: { skills, refused }, onClose }: { outcome: Outcome; onClose: () => void }) {
  return (
    <div className="content">
      <p role="status">{t('skills.import.made', { count: skills.length })}</p>
      {refused.length > 0 && (
        <>
          <h3>{t('skills.import.refused')}</h3>
          <Reasons reasons={refused.map(({ operationId, reason }) => [operationId, reason])} />
        </>
      )}
      <div className="actions">
        <button type="button" className="button main" onClick={onClose}>
          {t('action.close')}
        </button>
      </div>
    </div>
  );
}

/** What could not be taken in, each with why. */
export function Reasons({ reasons }: { reasons: readonly (readonly [what: string, reason: string])[] }) {
  return (
    <ul className="plain rows reasons">
      {reasons.map(([what, reason]) => (
        <li key={`${what} ${reason}`}>
          <strong>{what}</strong>
          <p className="problem">{reason}</p>
        </li>
      ))}
    </ul>
  );
}
