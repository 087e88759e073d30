import { useState } from 'react';
import { useMutation } from 'urql';

import { isAdmin, useViewer } from '../app/viewer.js';
import type { MemoryKind } from '../gql/graphql.js';
import { t } from '../i18n/catalogue.js';
import { Dialog } from '../parts/dialog.js';
import { Choice, FormActions } from '../parts/form.js';
import { Failure } from '../parts/states.js';
import { rememberMutation } from './memory-operations.js';
import { memoryKinds } from './memory-screen.js';

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
    <Dialog title={t('memory.add')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Choice
          label={t('memory.kind')}
          options={memoryKinds.map((one) => [one, t(`memory.${one}`)])}
          value={kind}
          onChoose={setKind}
        />
        <label className="field">
          <span>{t('memory.subject')}</span>
          <input required value={subject} onChange={({ target }) => setSubject(target.value)} />
        </label>
        <label className="field">
          <span>{t('memory.content')}</span>
          <textarea rows={3} required value={content} onChange={({ target }) => setContent(target.value)} />
        </label>
        {isAdmin(viewer) && (
          <label className="choice">
            <input type="checkbox" checked={shared} onChange={({ target }) => setShared(target.checked)} />
            {t('memory.share')}
          </label>
        )}
        {error && <Failure error={error} />}
        <FormActions isBusy={fetching} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
