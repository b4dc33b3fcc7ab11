import { Anchor, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { session } from '../../api/session.ts';
import { useStore } from '../../api/store.ts';
import { DetailLayout, Facts, Section } from '../../parts/detail.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { languageNames, languages, useLanguage } from '../../api/language.ts';
import { chooseLanguage, useMessages } from '../../messages/use-messages.ts';
import { themes, useChangeMe, useTheme } from '../../parts/app/me.ts';
import { IdentitiesSection } from './identities-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { TwoFactorSection } from './two-factor-section.tsx';

/** What belongs to the person, whatever the instance. */
export function Page() {
  const t = useMessages('account');
  const current = useStore(session);
  if (current.state !== 'signed-in') return null;
  const { user, instances } = current;
  return (
    <main>
      <PageHeader title={t.title} />
      <DetailLayout
        aside={
          <Section title={t.profile}>
            <Facts
              facts={[
                { name: t.email, value: user.email },
                user.name !== '' && { name: t.name, value: user.name },
              ]}
            />
          </Section>
        }
      >
        <Appearance />
        <PasswordSection />
        <TwoFactorSection />
        <PasskeysSection />
        <IdentitiesSection />
        <SessionsSection />
        <Section title={t.instances}>
          <Stack gap="xs">
            {instances.map(({ slug, name, role }) => (
              <Group key={slug} justify="space-between" wrap="nowrap">
                <Anchor renderRoot={(props) => <Link {...props} to={`/i/${slug}`} />}>
                  {name}{' '}
                  <Text span c="dimmed" size="sm">
                    {slug}
                  </Text>
                </Anchor>
                <StatusBadge tone="quiet">{t.roles[role]}</StatusBadge>
              </Group>
            ))}
          </Stack>
        </Section>
      </DetailLayout>
    </main>
  );
}

function Appearance() {
  const t = useMessages('account');
  const language = useLanguage();
  const [theme, chooseTheme] = useTheme();
  const save = useChangeMe();
  return (
    <Section title={t.appearance}>
      <Group gap="xl" align="flex-end">
        <div>
          <Text size="sm" mb={4} id="choose-language">
            {t.language}
          </Text>
          <SegmentedControl
            aria-labelledby="choose-language"
            value={language}
            onChange={(chosen) => {
              void chooseLanguage(chosen);
              void save({ language: chosen }).catch(() => undefined);
            }}
            data={languages.map((each) => ({ value: each, label: languageNames[each] }))}
          />
        </div>
        <div>
          <Text size="sm" mb={4} id="choose-theme">
            {t.theme}
          </Text>
          <SegmentedControl
            aria-labelledby="choose-theme"
            value={theme}
            onChange={chooseTheme}
            data={themes.map((each) => ({ value: each, label: t.themes[each] }))}
          />
        </div>
      </Group>
    </Section>
  );
}
