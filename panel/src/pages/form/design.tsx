import { Button, ColorInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { accentShades } from '../../../../src/base/brand.ts';
import type { FormSettings } from '../../api/operations.ts';
import { Section } from '../../parts/detail.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { contrastChecks, type ContrastCheck } from './contrast.ts';
import type { Editing } from './editing.ts';
import styles from './form.module.css';
import { problemAt } from './use-preview.ts';

type DesignSettings = NonNullable<FormSettings['design']>;
const swatches = [accentShades[7], '#1f5fae', '#6b2fa8', '#7a1f5c', '#b3261e', '#8a4500', '#17202b'];
const grounds = ['#f4f6f8', '#ffffff', '#fdf6ec', '#eef4fb', '#17202b'];

/** Colours, logo and style sheet of the form. */
export function Design({ editing: { draft, change, problems } }: { editing: Editing }) {
  const t = useMessages('form');
  const { settings } = draft;
  const design = settings.design ?? {};
  const set = (changes: DesignSettings): void =>
    change({ settings: { ...settings, design: { ...design, ...changes } } });
  const at = (member: keyof DesignSettings) => problemAt(problems, `/settings/design/${member}`);
  const checks = contrastChecks(design);
  return (
    <>
      <Section title={t.colours}>
        <Stack gap="sm">
          <ColorInput
            label={t.primary}
            description={t.colour_help}
            format="hex"
            swatches={swatches}
            fixOnBlur={false}
            eyeDropperButtonProps={{ 'aria-label': t.pick }}
            value={design.primary_color ?? ''}
            error={at('primary_color')}
            onChange={(primary_color) => set({ primary_color })}
          />
          <ColorInput
            label={t.secondary}
            description={t.secondary_help}
            format="hex"
            swatches={grounds}
            fixOnBlur={false}
            eyeDropperButtonProps={{ 'aria-label': t.pick }}
            value={design.secondary_color ?? ''}
            error={at('secondary_color')}
            onChange={(secondary_color) => set({ secondary_color })}
          />
          {checks.length > 0 && (
            <Contrast checks={checks} onUse={(primary_color) => set({ primary_color })} />
          )}
        </Stack>
      </Section>
      <Section>
        <Stack gap="sm">
          <LogoInput
            value={design.logo_url ?? ''}
            error={at('logo_url')}
            onChange={(logo_url) => set({ logo_url })}
          />
          <Textarea
            label={t.css}
            description={t.css_help}
            className={styles['code']}
            autosize
            minRows={4}
            maxRows={16}
            maxLength={20_000}
            spellCheck={false}
            placeholder={'h1 { letter-spacing: 0; }'}
            value={design.custom_css ?? ''}
            error={at('custom_css')}
            onChange={({ target }) => set({ custom_css: target.value })}
          />
        </Stack>
      </Section>
    </>
  );
}

/** Taken over once it is whole: the preview loads what stands there. */
function LogoInput({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (url: string) => void;
}) {
  const t = useMessages('form');
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <TextInput
      label={t.logo}
      description={t.logo_help}
      type="url"
      maxLength={2048}
      placeholder="https://example.com/logo.png"
      value={typed}
      error={error}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={() => onChange(typed.trim())}
      onKeyDown={({ key }) => key === 'Enter' && onChange(typed.trim())}
    />
  );
}

function Contrast({ checks, onUse }: { checks: ContrastCheck[]; onUse: (colour: string) => void }) {
  const t = useMessages('form');
  const { number } = useFormat();
  return (
    <div>
      <Text size="sm" fw={550} mb={6}>
        {t.contrast}
      </Text>
      <ul className={styles['checks']}>
        {checks.map(({ name, ratio, needed, front, back, better, adjusted }) => {
          const passes = ratio >= needed;
          const Mark = passes ? IconCheck : IconAlertTriangle;
          return (
            <li key={name}>
              <span className={styles['swatch']} style={{ background: back, color: front }} aria-hidden>
                {name === 'button' || name === 'terms' ? 'Aa' : <i />}
              </span>
              <div>
                <Text size="sm" component="div">
                  {t.checks[name]}{' '}
                  <Mark size={14} color={passes ? 'var(--panel-accent)' : 'var(--panel-warn)'} aria-hidden />{' '}
                  <Text span size="sm" c="dimmed">
                    {t.ratio(number(Math.floor(ratio * 10) / 10), number(needed))}
                    {adjusted && `, ${t.dark_adjusted(adjusted)}`}
                  </Text>
                </Text>
                {!passes && (
                  <Text size="sm" component="div" c="var(--panel-warn)">
                    {t.too_low}{' '}
                    {better && (
                      <Button variant="default" size="compact-xs" onClick={() => onUse(better)}>
                        {t.use_instead(better)}
                      </Button>
                    )}
                  </Text>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
