<?php
// Calls of stdin with Postmark's client for PHP; their results on stdout.
use Postmark\Models\PostmarkAttachment;
use Postmark\Models\PostmarkException;
use Postmark\Models\Suppressions\SuppressionChangeRequest;
use Postmark\PostmarkClient;
use Postmark\PostmarkClientBase;

require '/usr/share/php/GuzzleHttp/autoload.php';
$clients = getenv('CHASQUI_CLIENTS');
spl_autoload_register(function (string $class) use ($clients) {
    $file = "$clients/postmark-php/src/" . str_replace('\\', '/', $class) . '.php';
    if (is_file($file)) {
        require $file;
    }
});
PostmarkClientBase::$BASE_URL = 'http://' . getenv('POSTMARK_HOST');

function filesOf(?array $attachment): ?array
{
    return $attachment === null ? null : [PostmarkAttachment::fromRawData($attachment[1], $attachment[0], $attachment[2] ?? null)];
}

/** Its arguments by their names in the other clients. */
function named(array $given): array
{
    $names = ['html' => 'htmlBody', 'text' => 'textBody', 'reply_to' => 'replyTo', 'track_opens' => 'trackOpens',
        'message_stream' => 'messageStream', 'attachment' => 'attachments'];
    if (isset($given['attachment'])) {
        $given['attachment'] = filesOf($given['attachment']);
    }
    $arguments = [];
    foreach ($given as $name => $value) {
        $arguments[$names[$name] ?? $name] = $value;
    }
    return $arguments;
}

function changes(array $addresses): array
{
    return array_map(fn ($each) => new SuppressionChangeRequest($each), $addresses);
}

function perform(array $call)
{
    $client = new PostmarkClient($call['key']);
    $args = $call['args'];
    return match ($call['op']) {
        'mail' => $client->sendEmail(...named($args[0])),
        'batch' => $client->sendEmailBatch($args[0]),
        'template' => $client->sendEmailWithTemplate($args[0]['From'], $args[0]['To'],
            $args[0]['TemplateId'] ?? $args[0]['TemplateAlias'], $args[0]['TemplateModel']),
        'templates' => $client->sendEmailBatchWithTemplate($args[0]),
        'suppress' => $client->createSuppressions(changes($args)),
        'unsuppress' => $client->deleteSuppressions(changes($args)),
        'suppressions' => $client->getSuppressions(),
        'messages' => $client->getOutboundMessages(...$args[0]),
        'message' => $client->getOutboundMessageDetails($args[0]),
        'bounces' => $client->getBounces(),
        'stats' => $client->getDeliveryStatistics(),
        'server' => $client->getServer(),
        'streams' => $client->listMessageStreams(),
        'validate' => $client->validateTemplate($args[0]['Subject'], $args[0]['HtmlBody'], null, (object) $args[0]['TestRenderModel']),
        'listed' => $client->listTemplates(),
    };
}

$told = [];
foreach (json_decode(stream_get_contents(STDIN), true) as $call) {
    try {
        $told[] = ['ok' => perform($call)];
    } catch (PostmarkException $error) {
        $told[] = ['error' => [
            'class' => 'PostmarkException',
            'message' => $error->message,
            'status' => $error->getHttpStatusCode(),
            'code' => $error->getPostmarkApiErrorCode(),
        ]];
    }
}
echo json_encode($told, JSON_THROW_ON_ERROR);
