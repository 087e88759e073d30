import { shownJson } from '@palabre/text/browser.js';
import { useState } from 'react';
import { useMutation } from 'urql';

import type { Role, SkillsQuery } from '../gql/graphql.js';
import { t } from '../i18n/catalogue.js';
import { Confirm, Dialog } from '../parts/dialog.js';
import { Choice, FormActions, submits } from '../parts/form.js';
import { Failure } from '../parts/states.js';
import {
  deleteHttpSkillMutation,
  deletePackMutation,
  type ListedSkill,
  setAccessMutation,
  setApprovalMutation,
  setExposedMutation,
} from './skills-operations.js';
import { TryOut } from './try-out.js';

const ROLES = ['MEMBER', 'ADMIN'] as const satisfies Role[];

interface SkillDialogProps {
  skill: ListedSkill;
  assistants: SkillsQuery['assistants'];
  onClose: () => void;
}

interface OpenSkillProps extends SkillDialogProps {
  onDeleted: () => void;
}

/** What a skill is called with, whom it asks, and who may use it. */
export function SkillDialog({ skill, assistants, onClose, onDeleted }: OpenSkillProps) {
  const { key, name, description, kind, own, requiresApproval, warnings, inputSchema } = skill;
  const [approval, setApproval] = useMutation(setApprovalMutation);
  return (
    <Dialog title={name} onClose={onClose}>
      <div className="content">
        <p>{description}</p>
        {warnings.map((warning) => (
          <p key={warning} className="notice wait">
            {warning}
          </p>
        ))}
        <label className="choice">
          <input
            type="checkbox"
            role="switch"
            className="switch"
            checked={requiresApproval}
            aria-checked={requiresApproval}
            disabled={approval.fetching}
            onChange={({ target }) => void setApproval({ key, required: target.checked })}
          />
          {t('skills.approval')}
        </label>
        {approval.error && <Failure error={approval.error} />}
        <Exposure skill={skill} />
        <Access skill={skill} assistants={assistants} onClose={onClose} />
        {inputSchema !== null && (
          <details>
            <summary>{t('skills.parameters', { key })}</summary>
            <pre className="data">{shownJson(inputSchema)}</pre>
          </details>
        )}
        {kind === 'HTTP' && <TryOut skill={key} />}
        {own && (kind === 'HTTP' || kind === 'INSTRUCTIONS') && (
          <Delete skill={skill} kind={kind} onClose={onClose} onDeleted={onDeleted} />
        )}
      </div>
    </Dialog>
  );
}

/** Whether hosts of MCP are offered it. What may change something or asks first cannot be, but taken back. */
function Exposure({ skill: { key, exposed, changes, requiresApproval } }: Pick<SkillDialogProps, 'skill'>) {
  const [{ fetching, error }, setExposed] = useMutation(setExposedMutation);
  if (!exposed && (changes !== 'NOTHING' || requiresApproval)) return null;
  return (
    <>
      <label className="choice">
        <input
          type="checkbox"
          role="switch"
          className="switch"
          checked={exposed}
          aria-checked={exposed}
          disabled={fetching}
          onChange={({ target }) => void setExposed({ key, exposed: target.checked })}
        />
        {t('skills.exposed')}
      </label>
      {error && <Failure error={error} />}
    </>
  );
}

const deletions = { HTTP: deleteHttpSkillMutation, INSTRUCTIONS: deletePackMutation } as const;

interface DeleteProps {
  skill: ListedSkill;
  kind: keyof typeof deletions;
  onClose: () => void;
  onDeleted: () => void;
}

function Delete({ skill: { key, name }, kind, onClose, onDeleted }: DeleteProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [{ fetching, error }, remove] = useMutation<unknown, { key: string }>(deletions[kind]);
  const confirm = async (): Promise<void> => {
    const { error: refused } = await remove({ key });
    if (refused) return;
    onDeleted();
    onClose();
  };
  return (
    <div className="actions">
      <button type="button" className="button bad" onClick={() => setIsAsking(true)}>
        {t('skills.delete')}
      </button>
      {isAsking && (
        <Confirm
          title={t('skills.delete')}
          text={t('skills.deleteText', { name })}
          action={t('skills.delete')}
          isBusy={fetching}
          error={error}
          onConfirm={() => void confirm()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  );
}

function Access({ skill: { key, ...skill }, assistants, onClose }: SkillDialogProps) {
  const [role, setRole] = useState<(typeof ROLES)[number]>(
    ROLES.find((one) => one === skill.leastRole) ?? 'ADMIN',
  );
  const [chosen, setChosen] = useState(skill.assistants);
  const [{ fetching, error }, setAccess] = useMutation(setAccessMutation);
  const save = async (): Promise<void> => {
    const { error: refused } = await setAccess({ key, leastRole: role, assistants: chosen });
    if (!refused) onClose();
  };
  const all = assistants.map((assistant) => assistant.key);
  const toggle = (one: string, isChosen: boolean): void => {
    const kept = (chosen ?? all).filter((other) => other !== one);
    const next = isChosen ? [...kept, one] : kept;
    setChosen(all.every((other) => next.includes(other)) ? null : next);
  };
  return (
    <form className="access" onSubmit={submits(save)}>
      <Choice
        label={t('skills.who')}
        options={ROLES.map((one) => [one, t(`skills.who.${one}`)])}
        value={role}
        onChoose={setRole}
      />
      <fieldset>
        <legend>{t('skills.assistants')}</legend>
        {assistants.map((assistant) => (
          <label key={assistant.key} className="choice">
            <input
              type="checkbox"
              checked={chosen === null || chosen.includes(assistant.key)}
              onChange={({ target }) => toggle(assistant.key, target.checked)}
            />
            {assistant.name}
          </label>
        ))}
      </fieldset>
      {error && <Failure error={error} />}
      <FormActions isBusy={fetching} onCancel={onClose} />
    </form>
  );
}
