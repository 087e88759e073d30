import './skills.css';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';

import { t } from '../i18n/catalogue.js';
import { Page } from '../parts/page.js';
import { Failure, Loading, Nothing } from '../parts/states.js';
import { SkillDialog } from './skill-dialog.js';
import { type ListedSkill, setActiveMutation, skillsQuery } from './skills-operations.js';

/** What assistants may do, each with its switch. */
export function SkillsScreen() {
  const [{ data, error }, again] = useQuery({ query: skillsQuery, requestPolicy: 'cache-and-network' });
  const [wanted, setWanted] = useState('');
  const [openKey, setOpenKey] = useState<string | null>(null);
  const skills = data?.skills.filter((skill) => isMatch(skill, wanted)) ?? [];
  const opened = data?.skills.find(({ key }) => key === openKey);
  return (
    <Page title={t('screen.skills')} lead={t('skills.lead')}>
      <input
        type="search"
        className="skill-search"
        aria-label={t('skills.search')}
        placeholder={t('skills.search')}
        value={wanted}
        onChange={({ target }) => setWanted(target.value)}
      />
      {error && !data && <Failure error={error} again={() => again({ requestPolicy: 'network-only' })} />}
      {!data && !error && <Loading lines={8} />}
      {data && skills.length === 0 && <Nothing icon="skills" title={t('skills.none')} />}
      {skills.length > 0 && (
        <ul className="plain rows">
          {skills.map((skill) => (
            <SkillRow key={skill.id} skill={skill} open={() => setOpenKey(skill.key)} />
          ))}
        </ul>
      )}
      {opened && data && (
        <SkillDialog skill={opened} assistants={data.assistants} onClose={() => setOpenKey(null)} />
      )}
    </Page>
  );
}

function isMatch({ key, name, description, category }: ListedSkill, wanted: string): boolean {
  const text = `${key} ${name} ${description} ${category ?? ''}`.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function SkillRow({ skill, open }: { skill: ListedSkill; open: () => void }) {
  const { key, name, description, kind, active, available, unavailableReason, requiresApproval } = skill;
  const [{ fetching, error }, setActive] = useMutation(setActiveMutation);
  return (
    <li className="skill">
      <div className="skill-facts">
        <p className="skill-name">
          <button type="button" className="link" onClick={open}>
            {name}
          </button>
          <span className="tag">{t(`skills.${kind}`)}</span>
          {requiresApproval && <span className="tag wait">{t('skills.asks')}</span>}
          {!available && <span className="tag bad">{t('skills.unavailable')}</span>}
        </p>
        <p className="soft description">{description}</p>
        {unavailableReason !== null && <p className="small">{unavailableReason}</p>}
        {error && <Failure error={error} />}
      </div>
      <input
        type="checkbox"
        role="switch"
        className="switch"
        aria-label={t('skills.switch', { name })}
        checked={active}
        aria-checked={active}
        disabled={fetching}
        onChange={({ target }) => void setActive({ key, active: target.checked })}
      />
    </li>
  );
}
