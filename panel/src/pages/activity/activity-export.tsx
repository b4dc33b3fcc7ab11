import { respond } from '../../api/call.ts';
import { ExportMenu } from '../../parts/export-menu.tsx';
import { useInstance } from '../../parts/app/instance.tsx';
import { useActivityQuery } from './activity-query.ts';

/** Exports the list that is open, with its filters and its grouping. */
export function ActivityExport({ list }: { list: string | undefined }) {
  const { slug, timezone: tz } = useInstance();
  const { common, engagement, type } = useActivityQuery();
  return (
    <ExportMenu
      run={async (format, signal) => {
        const options = { slug, signal };
        if (list === 'bounces') {
          return await respond('panel_export_bounces', { query: { ...common, type, tz, format } }, options);
        }
        const id = list === 'clicks' ? 'panel_export_clicks' : 'panel_export_opens';
        return await respond(id, { query: { ...common, ...engagement, tz, format } }, options);
      }}
    />
  );
}
