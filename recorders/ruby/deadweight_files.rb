# frozen_string_literal: true

module Deadweight
  # Files of a capture: private, and never seen half-written under their final name.
  module Files
    # Bytes gathered before they are written.
    CHUNK = 1 << 16

    # Makes the capture's directory, with the first free number from `number` on.
    def self.make_directory(parent, program, number)
      make_parents(parent)
      number.upto(number + 9999) do |n|
        directory = File.join(parent, "#{program}-#{Process.pid}-#{n}.deadweight")
        begin
          Dir.mkdir(directory, 0o700)
          return directory
        rescue Errno::EEXIST
          next
        end
      end
      raise "too many captures in #{parent}"
    end

    def self.make_parents(path)
      return if File.directory?(path)

      make_parents(File.dirname(path))
      Dir.mkdir(path, 0o700)
    rescue Errno::EEXIST
      nil
    end

    # Gives the block the file, which has its name once all of it is written.
    def self.write(directory, name)
      path = File.join(directory, name)
      # Frozen, so that the file needs no copy of it: the dump is written meanwhile.
      part = "#{path}.part".freeze
      File.open(part, File::WRONLY | File::CREAT | File::EXCL | File::BINARY, 0o600) do |file|
        yield file
        file.fsync
      end
      File.rename(part, path)
    end

    # Writes words of 64 bits, which the block gives list by list.
    def self.write_words(directory, name)
      write(directory, name) do |file|
        buffer = String.new(capacity: CHUNK * 2, encoding: Encoding::BINARY)
        yield(lambda do |words|
          words.pack('q<*', buffer: buffer)
          if buffer.bytesize > CHUNK
            file.write(buffer)
            buffer.clear
          end
        end)
        file.write(buffer)
      end
    end

    # A line for who started the program, if anyone listens.
    def self.note(journal, line)
      File.write(journal, "#{line}\n", mode: 'a') if journal
    rescue SystemCallError
      nil
    end

    def self.remove(directory)
      Dir.children(directory).each { |name| File.unlink(File.join(directory, name)) }
      Dir.rmdir(directory)
    rescue SystemCallError
      nil
    end

    # The standard library's JSON would be loaded into the program's heap.
    def self.json(value)
      case value
      when nil then 'null'
      when true, false, Integer, Float then value.to_s
      when String, Symbol then quote(value.to_s)
      when Array then "[#{value.map { |item| json(item) }.join(',')}]"
      else "{#{value.map { |key, item| "#{quote(key.to_s)}:#{json(item)}" }.join(',')}}"
      end
    end

    def self.quote(text)
      text = text.encode(Encoding::UTF_8, invalid: :replace, undef: :replace).scrub("\uFFFD")
      "\"#{text.gsub(/["\\\u0000-\u001f]/) { |char| format('\\u%04x', char.ord) }}\""
    rescue EncodingError
      '""'
    end
  end
end
