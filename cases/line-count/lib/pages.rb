# frozen_string_literal: true

# Pages as search engines send them, the same ones each time.
module Pages
  WORDS = %w[green copper harbour lantern village quartz meadow engine river saddle timber window orchid market].freeze

  # Name, about how many bytes, and how its lines are.
  SHAPES = {
    'results' => [1_300_000, :short], # a result list as a template engine leaves it, a tag or a gap in each line
    'news' => [420_000, :short],
    'mobile' => [180_000, :short],
    'minified' => [600_000, :long] # the same markup behind a minifier: few lines, each with a whole script or list
  }.freeze

  def self.make(name)
    bytes, lines = SHAPES.fetch(name)
    random = Random.new(name.sum)
    body = String.new("<!doctype html>\n<html lang=\"en\">\n<head><title>#{name}</title></head>\n<body>\n")
    number = 0
    body << item(random, number += 1, lines) while body.bytesize < bytes
    body << "\n</body>\n</html>\n"
  end

  # What comes in place of results when the engine has doubts about who asks.
  def self.refusal
    "<!doctype html>\n<html>\n<body>\n<h1>One moment, please</h1>\n#{"<p>Confirm that you are a person.</p>\n" * 20}</body>\n</html>\n"
  end

  def self.item(random, number, lines)
    title = Array.new(6) { WORDS[random.rand(WORDS.size)] }.join(' ')
    text = Array.new(30 + random.rand(20)) { WORDS[random.rand(WORDS.size)] }.join(' ')
    parts = [
      "<div class=\"result\" data-rank=\"#{number}\">", '  <h3>', "    <a href=\"https://example.org/#{random.rand(1 << 40)}\">#{title}</a>",
      '  </h3>', "  <span class=\"when\">#{random.rand(28)} days ago</span>", '  <p class="text">',
      "    #{text}", '  </p>', '</div>', ''
    ]
    return parts.map { |part| "#{part}\n" }.join if lines == :short

    # A break now and then, as minifiers put one in to keep editors alive.
    parts.map(&:strip).join + ((number % 50).zero? ? "\n" : '')
  end
end

if $PROGRAM_NAME == __FILE__
  directory = ARGV.fetch(0)
  Pages::SHAPES.each_key { |name| File.write(File.join(directory, "#{name}.html"), Pages.make(name)) }
  File.write(File.join(directory, 'refusal.html'), Pages.refusal)
end
