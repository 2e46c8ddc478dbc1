# frozen_string_literal: true

# Requires the files before "--", which hold tests of Minitest, and leaves the rest as its arguments. What can't be
# loaded is written next to the report, and so is that all were loaded.
split = ARGV.index("--") || ARGV.size
folder, *files = ARGV[0...split]
ARGV.replace(ARGV[(split + 1)..] || [])
File.open(File.join(folder, "loaded.txt"), "wx") do |out|
  write = ->(*fields) { out.write(fields.map { |each| [each.to_s.b].pack("m0") }.join(" ") + "\n") }
  files.each do |file|
    require file
  rescue ScriptError, StandardError => error
    write.call("broken", file, "#{error.class}: #{error.message}\n#{(error.backtrace || []).first(5).join("\n")}")
  end
  write.call("end", files.size)
end
