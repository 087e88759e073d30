import { useState } from 'react';
import { useMutation } from 'urql';

import { isAdmin, useViewer } from '../app/viewer.js';
import type { MemoryKind } from '../gql/graphql.js';
import { t } from '../i18n/catalogue.js';
import { Choice, Field, FormDialog, TextArea } from '../parts/form.js';
import { rememberMutation } from './memory-operations.js';
import { memoryKinds } from './memory-kinds.js';

/** Notes something by hand. */
export function RememberDialog({ onClose, onKept }: { onClose: () => void; onKept: () => void }) {
  const viewer = useViewer();
  const [kind, setKind] = useState<MemoryKind>('FACT');
  const [subject, setSubject] = useState('');
  const [content, setContent] = useState('');
  const [shared, setShared] = useState(false);
  const [{ fetching, error }, remember] = useMutation(rememberMutation);
  const save = async (): Promise<void> => {
    const { error: refused } = await remember({ input: { kind, subject, content, shared } });
    if (refused) return;
    onKept();
    onClose();
  };
  return (
    <FormDialog title={t('memory.add')} onSave={save} isBusy={fetching} error={error} onClose={onClose}>
      <Choice
        label={t('memory.kind')}
        options={memoryKinds.map((one) => [one, t(`memory.${one}`)])}
        value={kind}
        onChoose={setKind}
      />
      <Field label={t('memory.subject')} required value={subject} onChange={setSubject} />
      <TextArea label={t('memory.content')} rows={3} required value={content} onChange={setContent} />
      {isAdmin(viewer) && (
        <label className="choice">
          <input type="checkbox" checked={shared} onChange={({ target }) => setShared(target.checked)} />
          {t('memory.share')}
        </label>
      )}
    </FormDialog>
  );
}
