import './skills.css';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';

import { language, t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';
import { Page } from '../parts/page.js';
import { Failure, Loading, Nothing } from '../parts/states.js';
import { McpServers } from './mcp-servers.js';
import { OpenApiImport } from './openapi-import.js';
import { Packs } from './packs.js';
import { SkillDialog } from './skill-dialog.js';
import { type ListedSkill, setActiveMutation, skillsQuery } from './skills-operations.js';

/** Where skills come from, besides those that are built in. */
const sources = { import: OpenApiImport, servers: McpServers, packs: Packs } as const;
type Source = keyof typeof sources;

/** What assistants may do, each with its switch. */
export function SkillsScreen() {
  const [{ data, error }, again] = useQuery({
    query: skillsQuery,
    variables: { language: language() },
    requestPolicy: 'cache-and-network',
  });
  const [wanted, setWanted] = useState('');
  const [openKey, setOpenKey] = useState<string | null>(null);
  const [source, setSource] = useState<Source | null>(null);
  const refresh = (): void => again({ requestPolicy: 'network-only' });
  const Source = source && sources[source];
  const skills = data?.skills.filter((skill) => isMatch(skill, wanted)) ?? [];
  const opened = data?.skills.find(({ key }) => key === openKey);
  return (
    <Page
      title={t('screen.skills')}
      lead={t('skills.lead')}
      actions={(['import', 'servers', 'packs'] as const).map((one) => (
        <button key={one} type="button" className="button" onClick={() => setSource(one)}>
          <Icon name="add" />
          {t(`skills.from.${one}`)}
        </button>
      ))}
    >
      <input
        type="search"
        className="skill-search"
        aria-label={t('skills.search')}
        placeholder={t('skills.search')}
        value={wanted}
        onChange={({ target }) => setWanted(target.value)}
      />
      {error && !data && <Failure error={error} again={refresh} />}
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
        <SkillDialog
          skill={opened}
          assistants={data.assistants}
          onClose={() => setOpenKey(null)}
          onDeleted={refresh}
        />
      )}
      {Source && <Source onClose={() => setSource(null)} onChanged={refresh} />}
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

function LastWeek({ calls, failures }: NonNullable<ListedSkill['lastWeek']>) {
  return (
    <p className="small">
      <span className="soft">{t('skills.calls', { count: calls })}</span>
      {failures > 0 && <span className="problem"> · {t('skills.failures', { count: failures })}</span>}
    </p>
  );
}

function SkillRow({ skill, open }: { skill: ListedSkill; open: () => void }) {
  const { key, name, description, kind, active, available, unavailableReason, requiresApproval, lastWeek } =
    skill;
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
        {lastWeek !== null && lastWeek.calls > 0 && <LastWeek {...lastWeek} />}
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
