import { useState } from 'react';
import { useMutation, useQuery } from 'urql';

import { t } from '../i18n/catalogue.js';
import { Dialog } from '../parts/dialog.js';
import { Failure, FailureText, Loading } from '../parts/states.js';
import { Reasons } from './openapi-import.js';
import { refusedPacksQuery, uploadPackMutation } from './skills-operations.js';

/** What the server answers to an archive. */
interface Taken {
  skills: { key: string; name: string; warnings: string[] }[];
  refused: { path: string; reason: string }[];
}

/** Instructions as files: an archive of them is sent, and what cannot be used says why. */
export function Packs({ onClose, onChanged }: { onClose: () => void; onChanged: () => void }) {
  const [{ data, error }, ask] = useQuery({ query: refusedPacksQuery, requestPolicy: 'cache-and-network' });
  const refused = data?.refusedPacks ?? [];
  return (
    <Dialog title={t('packs.title')} onClose={onClose} className="wide">
      <div className="content">
        <p>{t('packs.lead')}</p>
        <Upload onChanged={onChanged} />
        {error && !data && <Failure error={error} again={() => ask({ requestPolicy: 'network-only' })} />}
        {!data && !error && <Loading />}
        {refused.length > 0 && (
          <section aria-label={t('packs.installed')}>
            <h3>{t('packs.installed')}</h3>
            <Reasons reasons={refused.map(({ path, reason }) => [path, reason])} />
          </section>
        )}
      </div>
    </Dialog>
  );
}

function Upload({ onChanged }: { onChanged: () => void }) {
  const [{ error }, create] = useMutation(uploadPackMutation);
  const [sending, setSending] = useState<string | null>(null);
  const [taken, setTaken] = useState<Taken | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (file: File): Promise<void> => {
    setTaken(null);
    setProblem(null);
    setSending(file.name);
    try {
      const { data } = await create({ input: { name: file.name, bytes: file.size } });
      if (!data) return;
      const { url, method, headers } = data.createSkillUpload;
      const response = await fetch(url, { method, headers: headers as Record<string, string>, body: file });
      const answer = (await response.json()) as Taken & { errors?: { message: string }[] };
      if (answer.errors) return setProblem(answer.errors.map(({ message }) => message).join(' '));
      setTaken(answer);
      onChanged();
    } catch {
      setProblem(t('failure.offline'));
    } finally {
      setSending(null);
    }
  };
  return (
    <>
      <label className="field">
        <span>{t('packs.choose')}</span>
        <input
          type="file"
          accept=".zip,.skill"
          disabled={sending !== null}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            target.value = '';
            if (file) void send(file);
          }}
        />
      </label>
      <div role="status">
        {sending !== null && <p>{t('packs.sending', { name: sending })}</p>}
        {taken && <p>{t('packs.taken', { count: taken.skills.length })}</p>}
      </div>
      {taken && <Outcome taken={taken} />}
      {error && <Failure error={error} />}
      {problem !== null && <FailureText text={problem} />}
    </>
  );
}

function Outcome({ taken: { skills, refused } }: { taken: Taken }) {
  return (
    <>
      {skills.map(({ key, name, warnings }) => (
        <div key={key}>
          <strong>{name}</strong>
          {warnings.map((warning) => (
            <p key={warning} className="soft small">
              {warning}
            </p>
          ))}
        </div>
      ))}
      {refused.length > 0 && <Reasons reasons={refused.map(({ path, reason }) => [path, reason])} />}
    </>
  );
}
