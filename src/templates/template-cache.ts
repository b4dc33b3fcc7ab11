import { createCache, type Cache } from '../base/db/cache.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import type { TemplateContent } from './template-content.ts';

/** The columns of a template that sending uses. */
export interface SendableTemplate extends TemplateContent {
  id: number;
  updated_at: Date;
  instance_id: number;
  is_published: boolean;
  editor: 'html' | 'mjml';
}

export interface TemplateCache {
  find(instanceId: number, id: number): Promise<SendableTemplate | undefined>;
  findByAlias(instanceId: number, alias: string): Promise<SendableTemplate | undefined>;
}

const findTemplate: Statement = {
  name: 'templates.find_mail_template',
  text: `
    select id, instance_id, subject, html, text, is_published, editor, updated_at
    from mail_templates where id = $1 and deleted_at is null`,
};

const findByAlias: Statement = {
  name: 'templates.find_mail_template_by_alias',
  text: 'select id from mail_templates where instance_id = $1 and alias = $2 and deleted_at is null',
};

/** Larger ones are read for every send; the cache holds up to 500 of this size. */
const maxKeptLength = 256 * 1024;

/**
 * Cached. Changes are notified at once and, if the notification is lost, noticed within `ttl_ms`; absence is cached
 * too.
 */
export function createTemplateCache(db: Queryable, notifications: Notifications): TemplateCache {
  const templates: Cache<number, SendableTemplate | undefined> = createCache({
    load: async (id: number) => (await db.query<SendableTemplate>(findTemplate, [id]))[0],
    ttl_ms: 5_000,
    max_entries: 500,
  });
  const ids: Cache<string, number | undefined> = createCache({
    load: async (key) => {
      const at = key.indexOf(' ');
      const values = [Number(key.slice(0, at)), key.slice(at + 1)];
      return (await db.query<{ id: number }>(findByAlias, values))[0]?.id;
    },
    ttl_ms: 5_000,
    max_entries: 5_000,
  });
  notifications.onGap(() => {
    templates.clear();
    ids.clear();
  });
  notifications.on('chasqui_changed', (payload) => {
    const [table, id] = payload.split(' ');
    if (table !== 'mail_templates') return;
    templates.forget(Number(id));
    // A change can take an alias from any template: few are known, and loading is cheap.
    ids.clear();
  });

  async function find(instanceId: number, id: number): Promise<SendableTemplate | undefined> {
    const template = await templates.get(id);
    if (template && lengthOf(template) > maxKeptLength) templates.forget(id);
    return template?.instance_id === instanceId ? template : undefined;
  }

  return {
    find,
    async findByAlias(instanceId, alias) {
      const id = await ids.get(`${instanceId} ${alias}`);
      return id === undefined ? undefined : await find(instanceId, id);
    },
  };
}

function lengthOf({ html, text }: SendableTemplate): number {
  return (html?.length ?? 0) + (text?.length ?? 0);
}
